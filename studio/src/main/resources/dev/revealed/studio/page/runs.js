// All runs: which there are, how they go, how their settings differ, and how their curves compare.
import {h, api, number, steps, text, place, events, colour, complain, commandLine, download} from './common.js';
import {Chart} from './chart.js';

const MAIN = 'return';
const USUAL = ['return', 'featureDistance', 'likelihoodGap', 'entropy'];
const STATES = ['running', 'finished', 'interrupted', 'failed'];
const UNTOLD = new Set(['method', 'evaluate-every', 'task']); // settings that a name has already, or that change no curve
const X = ['step', 'countedSteps', 'updates', 'iteration'];

/** Curves that were read, by run; rows that arrive later are added. */
const curves = new Map();

async function curve(id) {
  const known = curves.get(id);
  if (known) return known;
  const loading = api.get(`runs/${id}/metrics`);
  curves.set(id, loading);
  try {
    const read = await loading;
    curves.set(id, read);
    return read;
  } catch (problem) {
    curves.delete(id);
    throw problem;
  }
}

/** Adds rows of the stream; false where the curve must be read again. */
function add({run, from, to, rows}) {
  const known = curves.get(run);
  if (!known || known.then || to <= known.to) return true;
  if (from !== known.to) { curves.delete(run); return false; }
  const length = Math.max(0, ...Object.values(known.columns).map(column => column.length));
  for (const row of rows) {
    for (const name of Object.keys(row)) known.columns[name] ??= new Array(length).fill(null);
    for (const [name, column] of Object.entries(known.columns)) column.push(row[name] ?? null);
  }
  known.to = to;
  return true;
}

const shortened = value => text(value).replace(/^.*\//, '').replace(/\.(npz|hdf5|csv)$/, '');

export async function open(view) {
  const words = await (await fetch('/page/columns.json')).json();
  const label = name => words[name]?.label ?? name.replace(/([A-Z])/g, ' $1').toLowerCase();
  const filter = h('input', {type: 'search', placeholder: 'Filter: task, method, setting=value, folder', ariaLabel: 'Filter runs', value: place.get('filter')});
  const grouping = h('select', {ariaLabel: 'Group runs by'},
    ...[['setting', 'Seeds together'], ['method', 'By task and method'], ['folder', 'By folder'], ['run', 'Every run']]
      .map(([value, name]) => h('option', {value, selected: place.get('group', 'setting') === value}, name)));
  const chips = h('div.chips');
  const list = h('div.groups');
  const count = h('span.small.soft');
  const side = h('aside.side', h('div.tools', filter, h('div.bar', grouping, count), chips), list);
  const work = h('div.work');
  view.append(side, work);

  let listing = {runs: [], settings: {}};
  let groups = [];
  const charts = new Map();
  const opened = new Set(place.list('open'));

  // ---- the list

  function settingsOf(run) { return listing.settings[run.setting] || {}; }

  function matches(run) {
    const state = place.get('state');
    if (state && run.state !== state) return false;
    const settings = settingsOf(run);
    return filter.value.toLowerCase().split(/\s+/).filter(Boolean).every(word => {
      const [name, wanted] = word.split('=');
      if (wanted !== undefined) return text(settings[name] ?? run[name] ?? '').toLowerCase().startsWith(wanted);
      return [run.name, run.command, run.method, run.task, run.state, 'seed' + run.seed].some(part => String(part).toLowerCase().includes(word));
    });
  }

  function key(run) {
    switch (grouping.value) {
      case 'method': return `${run.task}/${run.method || run.command}`;
      case 'folder': return run.name.replace(/\/?[^/]*$/, '') || '.';
      case 'run': return run.id;
      default: return run.setting;
    }
  }

  function arrange() {
    const by = new Map();
    for (const run of listing.runs.filter(matches)) {
      const k = key(run);
      if (!by.has(k)) by.set(k, {key: k, runs: []});
      by.get(k).runs.push(run);
    }
    groups = [...by.values()];
    for (const group of groups) {
      group.runs.sort((a, b) => a.seed - b.seed);
      const first = group.runs[0];
      group.task = grouping.value === 'folder' ? '' : first.task || first.command;
      group.method = first.method || first.command;
      group.curve = group.runs.some(run => run.can.includes('curve'));
      const values = group.runs.map(run => run.value).filter(value => value !== null && value !== undefined);
      group.mean = values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;
      group.low = Math.min(...values);
      group.high = Math.max(...values);
      const shares = group.runs.map(run => run.share).filter(share => share !== null && share !== undefined);
      group.share = shares.length ? shares.reduce((a, b) => a + b, 0) / shares.length : null;
    }
    groups.sort((a, b) => a.task.localeCompare(b.task) || b.runs.length - a.runs.length || (b.mean ?? -1e99) - (a.mean ?? -1e99));
    for (const group of groups) {
      const rivals = groups.filter(other => other.task === group.task && other.runs[0].command === group.runs[0].command);
      group.differs = grouping.value === 'folder' ? [] : differences(rivals.map(other => settingsOf(other.runs[0])))
        .filter(name => !UNTOLD.has(name)).map(name => [name, settingsOf(group.runs[0])[name]]).filter(pair => pair[1] !== undefined);
      group.name = grouping.value === 'folder' ? group.key : grouping.value === 'run' ? group.runs[0].name : group.method;
    }
  }

  function picked() {
    const wanted = place.list('pick');
    const found = groups.filter(group => wanted.includes(group.key));
    if (found.length || wanted.includes('none')) return found;
    const usual = groups.filter(group => group.curve && group.runs.some(run => run.state === 'running'));
    if (usual.length) return usual.slice(0, 8);
    const best = groups.filter(group => group.curve).sort((a, b) => b.runs.length - a.runs.length)[0];
    return best ? [best] : groups.slice(0, 1);
  }

  function pick(group, alone) {
    const now = picked().map(each => each.key);
    const next = alone ? [group.key] : now.includes(group.key) ? now.filter(k => k !== group.key) : [...now, group.key];
    place.set({pick: next.length ? next.join(',') : 'none'});
    draw();
  }

  function paint() {
    const shown = picked();
    count.textContent = `${groups.reduce((sum, group) => sum + group.runs.length, 0)} of ${listing.runs.length} runs`;
    chips.replaceChildren(...STATES.filter(state => listing.runs.some(run => run.state === state)).map(state =>
      h('button.chip', {
        type: 'button', ariaPressed: String(place.get('state') === state),
        onclick: () => { place.set({state: place.get('state') === state ? '' : state}); draw(); },
      }, `${state} ${listing.runs.filter(run => run.state === state).length}`)));
    const rows = [];
    let task = null;
    for (const group of groups) {
      if (group.task !== task && group.task) {
        task = group.task;
        rows.push(h('div.task', task, h('span.small.soft', `${groups.filter(each => each.task === task).reduce((n, each) => n + each.runs.length, 0)} runs`)));
      }
      rows.push(groupRow(group, shown.indexOf(group)));
    }
    if (!rows.length) {
      rows.push(h('div.empty', listing.runs.length ? 'No run matches.' : h('div', 'No runs here yet. Make one:', h('br'),
        h('code', './revealed imitate --task hopper --demos FILE --out out/first'))));
    }
    const at = list.scrollTop;
    list.replaceChildren(...rows);
    list.scrollTop = at;
  }

  function groupRow(group, index) {
    const states = STATES.filter(state => state !== 'finished' && group.runs.some(run => run.state === state));
    const isOpen = opened.has(group.key);
    const differing = group.differs.map(([name, value]) => `${name} ${shortened(value)}`).join(', ');
    const row = h('div.row', {onclick: event => { if (event.target.type !== 'checkbox') pick(group, !event.ctrlKey && !event.metaKey && !event.shiftKey); }},
      h('input', {type: 'checkbox', checked: index >= 0, ariaLabel: `Show ${group.task} ${group.name}`, onclick: event => { event.stopPropagation(); pick(group, false); }}),
      h('span.swatch', {style: index >= 0 ? {background: colour(index)} : {}}),
      h('span.label', h('b', group.name), ' ',
        h('button.fold', {type: 'button', ariaExpanded: String(isOpen), onclick: event => { event.stopPropagation(); toggle(group); }},
          group.runs.length > 1 ? `${group.runs.length} seeds ${isOpen ? '▴' : '▾'}` : `seed ${group.runs[0].seed} ${isOpen ? '▴' : '▾'}`), ' ',
        states.map(state => h(`span.badge.${state}`, group.runs.length > 1 ? `${group.runs.filter(run => run.state === state).length} ${state}` : state)),
        h('span.small.clamp', {title: differing}, differing || group.runs[0].name)),
      h('span.value', number(group.mean, 4),
        h('span.small', group.share !== null ? `${number(100 * group.share, 3)} % of expert` : group.runs.length > 1 && group.mean !== null ? `${number(group.low, 4)} to ${number(group.high, 4)}` : '')));
    const worst = worstOf(group);
    if (worst && !isOpen) {
      row.append(h('span.worst-line', 'worst: ', h('b.bad', runName(worst)), ` with ${number(worst.value, 4)} `,
        !worst.can.includes('policy') ? h('span', {title: 'The folder holds its numbers, but no policy to play'}, '(no policy kept)') : h('a', {href: place.address('robots', {run: worst.id}), title: 'Watch its policy', onclick: event => event.stopPropagation()}, 'watch it ▸')));
    }
    return h('div.group', {dataset: {key: group.key}}, row, isOpen && h('div.seeds', seeds(group)));
  }

  function toggle(group) {
    if (!opened.delete(group.key)) opened.add(group.key);
    place.set({open: [...opened].join(',')});
    paint();
  }

  const runName = run => grouping.value === 'folder' || grouping.value === 'run' ? run.name.replace(/^.*\//, '') : `seed ${run.seed}`;

  /** The run with the lowest return: it is what one looks for first. */
  function worstOf(group) {
    const known = group.runs.filter(run => run.value !== null && run.value !== undefined);
    return known.length > 1 ? known.reduce((a, b) => b.value < a.value ? b : a) : null;
  }

  /** The runs of a group, the worst one named. */
  function seeds(group) {
    const worst = worstOf(group);
    const low = Math.min(0, group.low);
    const span = Math.max(group.high, 0) - low || 1;
    return [...group.runs].sort((a, b) => (b.value ?? -1e99) - (a.value ?? -1e99)).map(run =>
      h(run === worst ? 'div.seed.worst' : 'div.seed',
        h('a', {href: place.address('runs', {...Object.fromEntries(place.values), run: run.id}), title: run.name, onclick: event => { event.preventDefault(); focus(run.id); }},
          runName(run),
          run === worst ? h('span.small.bad', ' worst') : ''),
        h('span.meter', h('i', {style: {width: `${run.value === null || run.value === undefined ? 0 : Math.max(2, 100 * (run.value - low) / span)}%`}})),
        h('span.value', number(run.value, 4)),
        run.can.includes('policy') ? h('a', {href: place.address('robots', {run: run.id}), title: 'Watch its policy'}, 'watch ▸')
          : h(`span.badge.${run.state}`, run.state === 'finished' ? '' : run.state),
        run.why && h('span.small.bad.why', run.why.split('\n')[0])));
  }

  function focus(id) {
    place.set({run: place.get('run') === id ? '' : id});
    detail().catch(complain);
  }

  // ---- curves

  const smoothing = h('input', {type: 'range', min: 0, max: 0.95, step: 0.05, value: place.get('smooth', 0), ariaLabel: 'Smoothing'});
  smoothing.addEventListener('input', () => { place.set({smooth: Number(smoothing.value) || ''}); lines(); });
  const across = h('select', {ariaLabel: 'Horizontal axis'}, ...X.map(name => h('option', {value: name, selected: place.get('x', 'step') === name}, label(name))));
  across.addEventListener('change', () => { place.set({x: across.value === 'step' ? '' : across.value}); lines(); });
  const log = h('input', {type: 'checkbox', checked: place.get('log') === '1'});
  log.addEventListener('change', () => { place.set({log: log.checked ? '1' : ''}); charts.forEach(chart => chart.close()); charts.clear(); plots.replaceChildren(); lines(); });
  const more = h('select', {ariaLabel: 'Add a curve'});
  more.addEventListener('change', () => { place.set({y: [...columns(), more.value].join(',')}); lines(); });
  const legend = h('div.legend.grow');
  const bar = h('div.bar', legend, h('label.small', 'against ', across), h('label.small', 'smooth ', smoothing), h('label.small', log, ' log'), more);
  const plots = h('div.curves');
  const compare = h('div.card');
  const about = h('div.stack');
  work.append(bar, plots, compare, about);

  let available = [];
  const columns = () => place.list('y').length ? place.list('y') : USUAL.filter(name => available.includes(name));

  async function lines() {
    const shown = picked();
    const loaded = await Promise.all(shown.map(async group => Promise.all(
      group.runs.filter(run => run.can.includes('curve') || run.state === 'running').map(async run => [run, await curve(run.id).catch(() => null)]))));
    const present = new Set(loaded.flat().flatMap(([, read]) => Object.keys(read?.columns ?? {})));
    available = [...present].filter(name => !X.includes(name) && name !== 'standardError');
    more.replaceChildren(h('option', {value: '', selected: true}, 'Add a curve …'), ...available.filter(name => !columns().includes(name)).map(name => h('option', {value: name}, label(name))));
    bar.hidden = !available.length;
    legend.replaceChildren(...shown.map((group, g) => h('span', h('i', {style: {background: colour(g)}}), [group.task, group.name].filter(Boolean).join(' · '),
      group.runs.length > 1 && h('span.soft', `mean and range of ${group.runs.length} seeds`))));
    const wanted = columns().filter(name => available.includes(name));
    for (const [name, chart] of charts) if (!wanted.includes(name)) { chart.close(); charts.delete(name); plots.querySelector(`[data-column="${name}"]`)?.remove(); }
    for (const [i, name] of wanted.entries()) {
      if (!charts.has(name)) {
        const box = h('div');
        const said = words[name] || {};
        plots.append(h(i === 0 ? 'section.card.first' : 'section.card', {dataset: {column: name}},
          h('div.head', h('h2.grow', label(name)),
            h('button.small', {type: 'button', title: 'Save these numbers', onclick: () => save(name)}, 'CSV'),
            h('button.small', {type: 'button', title: 'Remove this curve', onclick: () => { place.set({y: columns().filter(each => each !== name).join(',')}); lines(); }}, '×')),
          h('p.small.soft.about', said.about || '', said.good ? h('span.good', `${said.about ? '. ' : ''}Good: ${said.good}`) : ''),
          said.warn && h('div.small.warn', {hidden: true, dataset: {warn: name}}, said.warn), box));
        charts.set(name, new Chart(box, {height: i === 0 ? 300 : 190}));
      }
      const drawn = shown.map((group, g) => ({
        name: group.name, colour: colour(g),
        lines: loaded[g].filter(([, read]) => read?.columns[name]).map(([run, read]) => ({
          name: grouping.value === 'setting' ? `seed ${run.seed}` : run.name,
          x: read.columns[across.value] ?? read.columns.step, y: read.columns[name].map(value => value ?? NaN),
        })),
      })).filter(group => group.lines.length);
      const experts = name === MAIN ? expert(shown) : [];
      charts.get(name).set(drawn, {smoothing: Number(smoothing.value), marks: experts, log: log.checked, xLabel: label(across.value)});
    }
    warn(loaded.flat().map(pair => pair[1]).filter(Boolean));
    return wanted.length;
  }

  /** The expert's return, where all that are shown have the same. */
  function expert(shown) {
    const runs = shown.flatMap(group => group.runs).filter(run => run.share && run.value !== null);
    const values = runs.map(run => run.value / run.share);
    return values.length && Math.max(...values) - Math.min(...values) < 1e-6 * Math.abs(values[0])
      ? [{y: values[0], label: 'expert'}] : [];
  }

  /** Whether gap and distance both grew over the last half: the guide's first pitfall. */
  function warn(read) {
    const grew = values => values && values.length > 5 && values.at(-1) > 1.2 * values[Math.floor(values.length / 2)];
    const box = plots.querySelector('[data-warn]');
    if (box) box.hidden = !read.some(each => grew(each.columns.likelihoodGap) && grew(each.columns.featureDistance));
  }

  async function save(name) {
    const rows = [['run', 'seed', across.value, name].join(',')];
    for (const group of picked()) {
      for (const run of group.runs) {
        const read = await curve(run.id).catch(() => null);
        (read?.columns[name] ?? []).forEach((value, i) => rows.push([run.name, run.seed, (read.columns[across.value] ?? read.columns.step)[i], value].join(',')));
      }
    }
    download(`${name}.csv`, rows.join('\n') + '\n');
  }

  // ---- settings and details

  function differences(all) {
    const names = [...new Set(all.flatMap(settings => Object.keys(settings)))].sort();
    return names.filter(name => new Set(all.map(settings => text(settings[name] ?? '–'))).size > 1);
  }

  function settings() {
    const shown = picked();
    const all = shown.map(group => settingsOf(group.runs[0]));
    const names = [...new Set(all.flatMap(each => Object.keys(each)))].sort();
    const differing = new Set(differences(all));
    const only = place.get('settings') !== 'all' && shown.length > 1;
    const rows = names.filter(name => !only || differing.has(name));
    compare.replaceChildren(
      h('div.head', h('h2', shown.length > 1 ? 'Settings compared' : 'Settings'),
        h('span.small.soft', shown.length > 1 ? `${differing.size} of ${names.length} differ` : `${names.length} settings`),
        shown.length > 1 && h('button.small', {type: 'button', onclick: () => { place.set({settings: only ? 'all' : ''}); settings(); }}, only ? 'Show all' : 'Only differences')),
      h('details', {open: shown.length > 1 || place.get('settings') === 'all'}, h('summary', shown.length > 1 ? 'Table' : 'Show'),
        h('div.scroll', h('table',
          h('thead', h('tr', h('th', 'setting'), ...shown.map((group, g) => h('th', h('span', {style: {color: colour(g)}}, group.name))))),
          h('tbody', rows.map(name => h(differing.has(name) ? 'tr.differs' : 'tr', h('td', name), ...all.map(each => h('td', each[name] === undefined ? '–' : text(each[name]))))))))));
    compare.hidden = !names.length;
  }

  async function detail() {
    const wanted = place.get('run');
    const only = picked();
    const id = wanted || (only.length === 1 && only[0].runs.length === 1 ? only[0].runs[0].id : '');
    if (!id) { about.replaceChildren(); return; }
    const read = await api.get(`runs/${id}`);
    const run = read.run;
    const scalars = Object.entries(read.result).filter(([, value]) => value !== null && typeof value !== 'object');
    const pictures = read.files.filter(name => name.endsWith('.svg'));
    about.replaceChildren(h('section.card', {dataset: {detail: id}},
      h('div.head', h('h2', run.name), h(`span.badge.${run.state}`, run.state), h('span.small.soft', `seed ${run.seed}, Revealed ${run.version}`, run.commit ? `, commit ${run.commit.slice(0, 10)}` : ''),
        wanted && h('button.small', {type: 'button', onclick: () => focus(id)}, 'Close')),
      run.why && h('p.bad', run.why),
      h('div.bar', run.can.includes('policy') && h('a', {href: place.address('robots', {run: id})}, 'Watch its policy ▸'),
        run.can.includes('reward') && h('a', {href: place.address('rewards', {run: id})}, 'Explore its reward ▸'),
        run.can.includes('choice') && h('a', {href: place.address('economics', {run: id})}, 'Ask what would happen if … ▸'),
        read.files.includes('report.html') && h('a', {href: `/api/runs/${id}/files/report.html`, target: '_blank'}, 'Report')),
      h('h3', 'Command'), commandLine(['./revealed', ...read.spec.provenance.command]),
      scalars.length > 0 && h('div', h('h3', 'Result'), h('div.scroll', h('table', h('tbody', scalars.map(([name, value]) => h('tr', h('td', name), h('td', typeof value === 'number' ? number(value, 7) : text(value)))))))),
      pictures.length > 0 && h('div', h('h3', 'Pictures'), h('div.pictures', pictures.map(name => h('figure', h('img', {src: `/api/runs/${id}/files/${encodeURIComponent(name)}`, alt: name, loading: 'lazy'}), h('figcaption', name.replace('.svg', '')))))),
      h('h3', 'Files'), h('div.bar.small', read.files.map(name => h('a', {href: `/api/runs/${id}/files/${encodeURIComponent(name)}`, target: '_blank'}, name)))));
  }

  async function draw() {
    arrange();
    paint();
    settings();
    await Promise.all([lines().catch(complain), detail().catch(complain)]);
  }

  async function read() {
    listing = await api.get('runs');
    await draw();
  }

  let waiting = null;
  const soon = () => { waiting ??= requestAnimationFrame(() => { waiting = null; lines().catch(complain); }); };
  const onRows = event => { if (!add(event.data) || curves.has(event.data.run)) soon(); };
  const onReset = event => { curves.delete(event.data.run); soon(); };
  const onRuns = () => read().catch(complain);
  events.addEventListener('rows', onRows);
  events.addEventListener('reset', onReset);
  events.addEventListener('runs', onRuns);
  filter.addEventListener('input', () => { place.set({filter: filter.value}); draw(); });
  grouping.addEventListener('change', () => { place.set({group: grouping.value === 'setting' ? '' : grouping.value, pick: ''}); draw(); });
  await read();

  return {
    close() {
      events.removeEventListener('rows', onRows);
      events.removeEventListener('reset', onReset);
      events.removeEventListener('runs', onRuns);
      charts.forEach(chart => chart.close());
    },
  };
}
