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
    place.set({command: form.name, set: [...typed].map(([key, value]) => `${key}:${value}`).join(',')});
  };
  const field = key => form.groups.flatMap(group => group.fields).find(each => each.name === key) ?? {words: []};
  const isSwitch = each => each.words.length === 1;

  function input(each) {
    const value = typed.get(each.name) ?? '';
    const set = now => { if (now === '') typed.delete(each.name); else typed.set(each.name, now); paint(); };
    const box = isSwitch(each) ? h('input', {type: 'checkbox', checked: value === 'on', onchange: event => set(event.target.checked ? 'on' : '')})
      : each.words.length ? h('select', {onchange: event => set(event.target.value)}, h('option', {value: ''}, ''), each.words.map(word => h('option', {value: word, selected: word === value}, word)))
        : h('input', {type: 'text', value, placeholder: each.label, oninput: event => set(event.target.value.trim())});
    box.name = each.name;
    const upload = /FILE/.test(each.label) && /CSV|panel/i.test(each.about) ? h('button.small', {type: 'button', onclick: () => pick(each, box, set)}, 'Upload …') : null;
    return h('label', h('span', h('b', each.name), each.required ? h('span.bad', ' *') : '', ' ', upload), box, h('span.about', each.about));
  }

  /** A file from this computer: kept below the folder, and its first rows shown. */
  function pick(each, box, set) {
    const file = h('input', {type: 'file', accept: '.csv,text/csv'});
    file.onchange = async () => {
      try {
        const chosen = file.files[0];
        const kept = await (await api.post('uploads', {name: chosen.name.replace(/[^\w.-]/g, '_'), text: await chosen.text()})).json();
        box.value = kept.path;
        set(kept.path);
        show(kept);
      } catch (refused) { complain(refused); }
    };
    file.click();
  }

  let rows = null;
  function show(kept, bad = {}) {
    rows = kept;
    const cells = kept.first.slice(0, 200).map(each => each.split(','));
    const near = bad.row ? Math.max(1, bad.row - 4) : 1;
    const column = cells[0].indexOf(bad.column);
    preview.replaceChildren(h('section.card', h('div.head', h('h2.grow', 'The table'), h('span.small.soft', `${kept.lines} lines`)),
      h('div.scroll', h('table', h('thead', h('tr', h('th', ''), cells[0].map(cell => h('th', cell)))),
        h('tbody', cells.slice(near, near + 8).map((row, i) => h(near + i + 1 === bad.row ? 'tr.differs' : 'tr', h('td.soft', String(near + i + 1)), row.map((cell, c) => h(near + i + 1 === bad.row && c === column ? 'td.bad' : 'td', cell)))))))));
  }

  const start = h('button.main', {type: 'button', onclick: async () => {
    problem.hidden = true;
    start.disabled = true;
    try {
      const options = [...typed].map(([key, value]) => [key, isSwitch(field(key)) ? '' : value]);
      await api.post('jobs', {command: form.name, name: name.value.trim(), options: Object.fromEntries(options)});
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
    const last = all[0];
    const said = last?.exit && rows && /(?:row|line) (\d+)/.exec(last.output);
    if (said) show(rows, {row: Number(said[1]), column: /(?:column|field) '?([\w-]+)/.exec(last.output)?.[1]});
    if (all.some(job => job.exit === null || job.exit === undefined)) timer = setTimeout(() => follow().catch(complain), 700);
  }
  await follow();
  return {close: () => clearTimeout(timer)};
}
