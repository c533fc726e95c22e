// Starts commands: the form is made from the options that the command line has.
import {h, api, place, complain, commandLine, say} from './common.js';

export async function open(view) {
  const forms = await api.get('forms');
  const form = forms.find(each => each.name === place.get('command')) ?? forms[0];
  const typed = new Map();
  for (const pair of place.list('set')) { const at = pair.indexOf(':'); typed.set(pair.slice(0, at), pair.slice(at + 1)); }

  const choose = h('select.field', {ariaLabel: 'Command'}, forms.map(each => h('option', {value: each.name, selected: each === form}, each.name)));
  choose.addEventListener('change', () => { location.hash = place.address('start', {command: choose.value}); });
  const name = h('input.field', {type: 'text', value: place.get('name') || `${form.name}-${new Date().toISOString().slice(5, 16).replace(/[-:T]/g, '')}`, ariaLabel: 'Name of the folder'});
  const line = h('div');
  const problem = h('p.bad', {hidden: true});
  const jobs = h('div.stack');
  const preview = h('div');

  const paint = () => {
    const words = ['./revealed', form.name];
    for (const [key, value] of typed) words.push(`--${key}`, ...(isSwitch(field(key)) ? [] : [value]));
    words.push('--out', name.value);
    line.replaceChildren(commandLine(words));
    check();
    place.set({command: form.name, set: [...typed].map(([key, value]) => `${key}:${value}`).join(',')});
  };
  const field = key => form.groups.flatMap(group => group.fields).find(each => each.name === key) ?? {words: []};
  const isSwitch = each => each.words.length === 1;
  const options = () => Object.fromEntries([...typed].map(([key, value]) => [key, isSwitch(field(key)) ? '' : value]));

  function input(each) {
    const value = typed.get(each.name) ?? '';
    const set = now => { if (now === '') typed.delete(each.name); else typed.set(each.name, now); paint(); };
    const box = isSwitch(each) ? h('input', {type: 'checkbox', checked: value === 'on', onchange: event => set(event.target.checked ? 'on' : '')})
      : each.words.length ? h('select', {onchange: event => set(event.target.value)}, h('option', {value: ''}, ''), each.words.map(word => h('option', {value: word, selected: word === value}, word)))
        : h('input', {type: 'text', value, placeholder: each.label, oninput: event => set(event.target.value.trim())});
    box.name = each.name;
    const upload = /FILE/.test(each.label) && /CSV|panel/i.test(each.about) ? h('button.small', {type: 'button', onclick: () => pick(each, box, set)}, 'Upload …') : null;
    if (upload) box.upload = (called, content) => keep(each, box, set, called, content); // for those who look in from outside
    return h('label', h('span', h('b', each.name), each.required ? h('span.bad', ' *') : '', ' ', upload), box, h('span.about', each.about));
  }

  /** A file from this computer: kept below the folder, shown, and read as the command would read it. */
  function pick(each, box, set) {
    const file = h('input', {type: 'file', accept: '.csv,text/csv'});
    file.onchange = async () => {
      try { await keep(each, box, set, file.files[0].name, await file.files[0].text()); } catch (refused) { complain(refused); }
    };
    file.click();
  }

  async function keep(each, box, set, called, content) {
    const kept = await (await api.post('uploads', {name: called.replace(/[^\w.-]/g, '_'), text: content})).json();
    box.value = kept.path;
    rows = {name: called, lines: content.split(/\r?\n/).filter((line, i, all) => line || i < all.length - 1)};
    set(kept.path);
    show();
  }

  /** The cells of a line; those in quotes may have commas. */
  const cells = line => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)].filter((each, i, all) => each[0] || i < all.length - 1 || !i).map(each => each[1].replace(/^"|"$/g, '').replaceAll('""', '"'));

  let rows = null, checking = null, asked = 0;

  /** Asks what the command would refuse about its files, a moment after the last change. */
  function check() {
    if (!rows) return;
    clearTimeout(checking);
    const mine = ++asked; // replies may come late, when something else was asked
    checking = setTimeout(async () => {
      try {
        const found = await (await api.post('checks', {command: form.name, options: options()})).json();
        if (mine === asked) show(found.problem ? found : null, true);
      } catch (refused) { if (mine === asked) complain(refused); }
    }, 300);
  }

  /** The table, around the line that is wrong where one is named. */
  function show(bad = null, checked = false) {
    const head = cells(rows.lines[0]);
    const wrong = bad && Number(/(?:line|row) ([\d,]+)/.exec(bad.problem)?.[1]?.replaceAll(',', '')) || 0;
    const quoted = bad ? [...bad.problem.matchAll(/'([^']*)'/g)].map(each => each[1]) : [];
    const named = bad ? /(?:column|field) '?([\w-]+)/.exec(bad.problem)?.[1] : '';
    const isBad = (line, cell, c) => line === wrong && (head[c] === named || quoted.includes(cell) && cell !== '' || line === 1 && quoted.includes(cell));
    const from = Math.max(1, wrong - 5);
    const row = (line, index) => h(index + 1 === wrong ? 'tr.differs' : 'tr', h('td.soft', String(index + 1)), cells(line).map((cell, c) => h(isBad(index + 1, cell, c) ? 'td.bad.cell' : 'td', cell)));
    preview.replaceChildren(h('section.card', {dataset: {preview: wrong}}, h('div.head', h('h2.grow', rows.name), h('span.small.soft', `${rows.lines.length - 1} rows, ${head.length} columns`)),
      bad ? h('p.bad', bad.problem, ' ', bad.remedy) : checked && h('p.small.good', typed.has('model') || typed.has('mdp') ? 'The command reads this file without complaint.' : 'Say which model, and the file is read as the command will read it.'),
      h('div.scroll', h('table.preview', h('thead', h(wrong === 1 ? 'tr.differs' : 'tr', h('th', ''), head.map((cell, c) => h(isBad(1, cell, c) ? 'th.bad.cell' : 'th', cell)))),
        h('tbody', rows.lines.slice(from, from + 10).map((line, i) => row(line, from + i))))),
      rows.lines.length > from + 10 && h('p.small.soft', `lines ${from + 1} to ${from + 10} of ${rows.lines.length}`)));
  }

  const start = h('button.main', {type: 'button', onclick: async () => {
    problem.hidden = true;
    start.disabled = true;
    try {
      await api.post('jobs', {command: form.name, name: name.value.trim(), options: options()});
      say('Started.');
      await follow();
    } catch (refused) {
      problem.hidden = false;
      problem.textContent = `${refused.message} ${refused.remedy ?? ''}`;
    } finally {
      start.disabled = false;
    }
  }}, 'Start');

  view.append(
    h('aside.stack', h('section.card.fields', h('label', 'Command', choose), h('p.small.soft', form.about), h('label', 'Folder', name)),
      ...form.groups.filter(group => group.fields.length).map((group, i) => h('section.card', i === 0 ? h('div.fields', group.fields.map(input))
        : h('details', {open: group.fields.some(each => typed.has(each.name))}, h('summary', group.title), h('div.fields', group.fields.map(input)))))),
    h('div.stack', h('section.card', h('div.head', h('h2.grow', 'Command'), start), line, problem, h('p.small.soft', 'It runs as a program of its own and goes on when this page is closed. * must be given.')), preview, jobs));
  name.addEventListener('input', paint);
  paint();

  let timer = null;
  async function follow() {
    clearTimeout(timer);
    const all = await api.get('jobs');
    jobs.replaceChildren(...all.map(job => h('section.card', {dataset: {job: job.id}},
      h('div.head', h('h2.grow', job.command[0], ' ', h('span.small.soft', job.folder)), h(`span.badge.${job.exit === null || job.exit === undefined ? 'running' : job.exit ? 'failed' : 'finished'}`, job.exit === null || job.exit === undefined ? 'running' : job.exit ? `ended with ${job.exit}` : 'finished'),
        job.exit === null || job.exit === undefined ? h('button.small', {type: 'button', onclick: () => api.post(`jobs/${job.id}/stop`, {}).then(follow).catch(complain)}, 'Stop')
          : job.exit !== 0 && h('button.small', {type: 'button', onclick: () => api.post(`runs/${job.run}/resume`, {}).then(follow).catch(complain)}, 'Resume'),
        h('a', {href: place.address('runs', {run: job.run})}, 'See the run ▸')),
      h('pre', job.output || '…'))));
    if (all.some(job => job.exit === null || job.exit === undefined)) timer = setTimeout(() => follow().catch(complain), 700);
  }
  await follow();
  return {close() { clearTimeout(timer); clearTimeout(checking); }};
}
