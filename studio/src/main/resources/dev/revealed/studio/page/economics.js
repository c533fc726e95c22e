// A fitted choice model, and what would happen if something about it were different.
import {h, api, number, text, place, complain, commandLine, download, colour} from './common.js';
import {Chart} from './chart.js';
import {MapView, boardOf} from './maps.js';

const KINDS = new Set(['estimate', 'counterfactual', 'demo', 'simulate', 'predict', 'flows', 'certify', 'reproduce']);
const VALUES = 25; // of the demand curve

export async function open(view) {
  const listing = await api.get('runs');
  const fitted = listing.runs.filter(run => run.can.includes('choice'));
  const others = listing.runs.filter(run => !run.can.includes('choice') && KINDS.has(run.command));
  const all = [...fitted, ...others];
  if (!all.length) {
    view.append(h('div.empty', 'No estimates below these folders. Make one:', h('br'),
      h('code', './revealed estimate --model rust-bus --data ../shared/data/rust_bus_groups_1_to_4.csv --method nfxp --out out/zurcher')));
    return {};
  }
  const run = all.find(each => each.id === place.get('run')) ?? all[0];
  const option = each => h('option', {value: each.id, selected: each === run}, each.name);
  const choose = h('select.field', {ariaLabel: 'Estimate'}, fitted.length && h('optgroup', {label: 'Choice models'}, fitted.map(option)),
    others.length && h('optgroup', {label: 'Other results'}, others.map(option)));
  choose.addEventListener('change', () => { location.hash = place.address('economics', {run: choose.value}); });
  const detail = await api.get(`runs/${run.id}`);
  const side = h('aside.sliders', h('section.card', h('div.head', h('h2', 'Estimate')), choose));
  const right = h('div.stack');
  view.append(side, right);
  const model = run.can.includes('choice') ? new Model(run, detail, side, right) : null;
  const shown = await map(run, detail, right);
  result(run, detail, right);
  await model?.ask();
  return {close() { model?.close(); shown?.close(); }};
}

/** A board or a road network, where the command left one. */
async function map(run, detail, right) {
  const found = detail.files.includes('map.json') ? await (await fetch(`/api/runs/${run.id}/files/map.json`)).json() : boardOf(detail.result.maps);
  if (!found) return null;
  const box = h('div');
  right.append(h('section.card', {dataset: {map: found.kind}}, h('div.head', h('h2.grow', found.kind === 'board' ? 'On the board' : 'On the road network')), box));
  const view = new MapView(box, found, run.name);
  view.draw();
  return view;
}

/** What the command left: its table as printed, and its pictures. */
function result(run, detail, right) {
  const {parameters, level} = detail.result;
  if (Array.isArray(parameters) && parameters.length && parameters[0].value !== undefined) {
    const share = Math.round(500 * (1 - (level ?? 0.95))) / 1000;
    const columns = [['coef', 'value', 4], ['std err', 'standardError', 4], ['z', 'z', 3], ['P>|z|', 'pValue', 3], [`[${share}`, 'low', 4], [`${1 - share}]`, 'high', 4]]
      .filter(([, field]) => parameters.some(p => p[field] !== null && p[field] !== undefined));
    right.append(h('section.card', h('div.head', h('h2.grow', 'Estimates'),
      h('span.small.soft', [detail.result.method, detail.result.converged ? 'converged' : 'not converged', `log-likelihood ${number(detail.result.logLikelihood, 8)}`].join(', '))),
    h('div.scroll', h('table', h('thead', h('tr', h('th'), ...columns.map(([name]) => h('th.n', name)))),
      h('tbody', parameters.map(p => h('tr', h('td', p.name), ...columns.map(([, field, digits]) =>
        h('td.n', p[field] === null || p[field] === undefined ? '–' : p[field].toFixed(digits))))))))));
  }
  const pictures = detail.files.filter(name => name.endsWith('.svg'));
  right.append(h('section.card', h('div.head', h('h2.grow', 'What the command drew'),
    detail.files.includes('report.html') && h('a', {href: `/api/runs/${run.id}/files/report.html`, target: '_blank'}, 'Report'),
    ...detail.files.filter(name => name.endsWith('.csv') || name === 'result.json').map(name => h('a.small', {href: `/api/runs/${run.id}/files/${name}`, target: '_blank'}, name))),
  h('div.pictures', pictures.map(name => h('figure', h('img', {src: `/api/runs/${run.id}/files/${encodeURIComponent(name)}`, alt: name}), h('figcaption', name.replace('.svg', ''))))),
  h('h3', 'Command'), commandLine(['./revealed', ...detail.spec.provenance.command])));
}

/** Sliders, and the answers to them. */
class Model {
  constructor(run, detail, side, right) {
    this.run = run;
    this.detail = detail;
    const {choice, parameters, actions, discount} = detail.result;
    const errors = new Map((parameters || []).map(p => [p.name, p.standardError]));
    const law = (choice.parameters || []).slice((choice.parameters || []).length - (detail.result.transitionParameters || 0)).map(p => p.name);
    this.actions = actions;
    this.parameters = choice.parameters.slice(0, 24).map(p => {
      const reach = 4 * (errors.get(p.name) || Math.abs(p.value) / 4 || 1);
      const probability = law.includes(p.name);
      return {
        name: p.name, value: p.value, law: probability,
        low: probability ? 0 : p.value > 0 ? Math.min(p.value - reach, p.value / 4) : p.value - reach,
        high: probability ? 1 : p.value < 0 ? Math.max(p.value + reach, p.value / 4) : p.value + reach,
      };
    });
    this.estimates = new Map(this.parameters.map(p => [p.name, p.value]));
    this.values = new Map(this.estimates);
    for (const pair of place.list('set')) {
      const [name, value] = pair.split(':');
      if (this.values.has(name)) this.values.set(name, Number(value));
    }
    this.discount = discount;
    this.wantedDiscount = Number(place.get('discount')) || discount;
    this.against = place.get('against') || this.parameters.find(p => !p.law)?.name;
    this.action = place.get('action') || actions.at(-1);
    this.remove = h('input.field', {type: 'text', placeholder: `${actions.at(-1)} if … < 40`, value: place.get('remove')});
    this.inputs(side);
    this.outputs(right);
  }

  inputs(side) {
    const reset = h('button.small', {type: 'button', onclick: () => { this.values = new Map(this.estimates); this.wantedDiscount = this.discount; this.remove.value = ''; this.paint(); this.ask(); }}, 'Reset');
    this.rows = this.parameters.map(p => this.slider(p.name, p.low, p.high, () => this.values.get(p.name), value => this.values.set(p.name, value), p.value));
    this.rows.push(this.slider('discount', Math.min(0.8, this.discount), 0.9999, () => this.wantedDiscount, value => { this.wantedDiscount = value; }, this.discount));
    const select = (label, options, value, set) => {
      const box = h('select.field', options.map(each => h('option', {value: each, selected: each === value}, each)));
      box.addEventListener('change', () => { set(box.value); this.ask(); });
      return h('label.small', label, box);
    };
    this.remove.addEventListener('change', () => this.ask());
    side.append(h('section.card', h('div.head', h('h2.grow', 'What if …'), reset), h('div.fields', this.rows.map(row => row.element))),
      h('section.card.fields',
        select('Count the action', this.actions, this.action, value => { this.action = value; }),
        select('Demand against', this.parameters.filter(p => !p.law).map(p => p.name), this.against, value => { this.against = value; }),
        h('label.small', 'Without an action', this.remove)));
  }

  slider(name, low, high, get, set, estimate) {
    const exact = h('input', {type: 'number', step: 'any', ariaLabel: `${name}, exactly`});
    const range = h('input', {type: 'range', min: low, max: high, step: (high - low) / 400, ariaLabel: name, dataset: {parameter: name}});
    const element = h('div.slider', h('label', h('b', name), exact), range, h('span.small.soft', `estimate ${number(estimate, 5)}`));
    const paint = () => {
      range.value = get();
      exact.value = Number(get().toPrecision(7));
      element.classList.toggle('changed', get() !== estimate);
    };
    range.addEventListener('input', () => { set(Number(Number(range.value).toPrecision(6))); paint(); this.drag(); });
    exact.addEventListener('change', () => { if (exact.value !== '') set(Number(exact.value)); paint(); this.ask(); });
    paint();
    return {element, paint};
  }

  paint() { this.rows.forEach(row => row.paint()); }

  outputs(right) {
    this.tiles = h('div.numbers');
    this.problem = h('p.bad', {hidden: true});
    const card = (title, about, height, name) => {
      const box = h('div');
      const chart = new Chart(box, {height, seconds: true, legend: true});
      right.append(h('section.card', {dataset: {chart: name}}, h('div.head', h('h2.grow', title), h('button.small', {type: 'button', onclick: () => this.save(name)}, 'CSV')), h('p.small.soft.about', about), box));
      return chart;
    };
    this.bootstrap = h('button.small', {type: 'button', title: 'Percentiles over 1,000 draws of the parameters', onclick: () => this.ask('both')}, 'Bootstrap intervals');
    this.line = h('div');
    right.append(h('section.card', h('div.head', h('h2.grow', 'Long run and welfare'), this.bootstrap), this.problem, this.tiles, this.line));
    this.demand = card('Demand', 'Expected number of the action in the long run against one parameter, with 95 % intervals by the delta method.', 240, 'demand');
    this.choices = card('Choice probabilities', 'Probability of the action in each state: as estimated, and as changed.', 220, 'choices');
    this.stationary = card('The long run', 'Share of time spent in each state.', 200, 'stationary');
  }

  /** The options of the command that answers this. */
  options(intervals) {
    const set = [...this.values].filter(([name, value]) => value !== this.estimates.get(name)).map(([name, value]) => `${name}=${value}`);
    const around = this.parameters.find(p => p.name === this.against);
    const grid = [around.value > 0 ? Math.max(around.low, around.value / 8) : around.low, around.high].map(value => Number(value.toPrecision(4)));
    return {
      set, remove: this.remove.value.trim() ? [this.remove.value.trim()] : [],
      ...(this.wantedDiscount !== this.discount ? {discount: this.wantedDiscount} : {}),
      demand: `${this.against}=${grid[0]}:${grid[1]}:${VALUES}`, action: this.action, intervals,
    };
  }

  /** While a slider moves: the answer without intervals at once, with them when it rests. */
  drag() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.ask(), 200);
    if (!this.busy) {
      this.busy = true;
      this.ask('none').finally(() => { this.busy = false; });
    }
  }

  /** Asks for what the sliders say; answers to earlier questions are dropped. */
  async ask(intervals = 'delta') {
    this.asking?.abort();
    const mine = this.asking = new AbortController();
    const options = this.options(intervals);
    place.set({
      set: options.set.map(pair => pair.replace('=', ':')).join(','), discount: options.discount ?? '', remove: options.remove[0] ?? '',
      against: this.against, action: this.action, run: this.run.id,
    });
    this.bootstrap.disabled = intervals === 'both';
    try {
      const began = performance.now();
      const response = await api.post(`runs/${this.run.id}/counterfactual`, options, {signal: mine.signal});
      this.answer = await response.json();
      this.took = performance.now() - began;
      this.problem.hidden = true;
      this.draw(options);
    } catch (problem) {
      if (problem.name === 'AbortError') return;
      this.problem.hidden = false;
      this.problem.textContent = `${problem.message} ${problem.remedy ?? ''}`;
      if (!problem.status) complain(problem);
    } finally {
      if (mine === this.asking) this.bootstrap.disabled = false;
    }
  }

  draw(options) {
    const {actions, welfare, rows, choiceProbabilities, stationary, horizon, warnings} = this.answer;
    const counted = actions.find(row => row.action === this.action);
    const tile = (title, {baseline, counterfactual, change}, digits = 4) => h('div', h('span.small.soft', title), h('b', number(counterfactual.value, digits)),
      h('span.small', `was ${number(baseline.value, digits)}, change ${change.value > 0 ? '+' : ''}${number(change.value, digits)}`), h('br'),
      h('span.small.soft', counterfactual.low === undefined ? '' : `95 %: ${number(counterfactual.low, digits)} to ${number(counterfactual.high, digits)}`,
        counterfactual.bootstrapLow === undefined ? '' : `; bootstrap ${number(counterfactual.bootstrapLow, digits)} to ${number(counterfactual.bootstrapHigh, digits)}`));
    this.tiles.replaceChildren(
      tile(`${this.action}, number in ${horizon} periods of the long run`, counted.longRun),
      tile(`${this.action}, number in the first ${horizon} periods`, counted.fromStart),
      tile('Value, mean over observed states', welfare.value),
      tile('The same per period (annuity)', welfare.annuity));
    const words = ['./revealed', 'counterfactual', '--from', this.detail.path];
    for (const [name, value] of Object.entries(options)) for (const each of [value].flat()) words.push(`--${name}`, String(each));
    this.line.replaceChildren(h('h3', 'Command'), commandLine(words), ...(warnings || []).map(each => h('p.small.warn', each)),
      h('p.small.soft', `answered in ${number(this.took, 3)} ms`));
    const xs = rows.map(row => row.value);
    const lines = which => ({low: true, lines: ['expected', 'low', 'high'].map(name => ({name, x: xs, y: rows.map(row => which(row, name))}))});
    const first = (row, name) => row.fromStart[name === 'expected' ? 'value' : name];
    this.demand.set([{name: 'long run', colour: colour(0), plain: true, ...lines((row, name) => row[name])}, {name: `first ${horizon} periods`, colour: colour(1), plain: true, ...lines(first)}],
      {xLabel: this.against, at: this.values.get(this.against), seconds: true});
    const states = choiceProbabilities.filter(row => row.action === this.action);
    const names = Object.fromEntries(states.map(row => [row.state, row.at]));
    const pair = rowsOf => ['baseline', 'counterfactual'].map((name, i) => ({
      name: i ? 'as changed' : 'as estimated', colour: colour(i), dashed: !i, plain: true, lines: [{name, x: rowsOf.map(row => row.state), y: rowsOf.map(row => row[name])}],
    }));
    const label = states.length && /^(\w+)/.exec(states[0].at)?.[1];
    this.choices.set(pair(states), {xLabel: label || 'state', names: undefined, seconds: true});
    this.stationary.set(pair(stationary), {xLabel: label || 'state', seconds: true});
    this.names = names;
  }

  save(name) {
    const rows = {demand: this.answer.rows.map(({fromStart, ...row}) => ({...row, fromStart: fromStart.value})), choices: this.answer.choiceProbabilities, stationary: this.answer.stationary}[name];
    const columns = Object.keys(rows[0]);
    download(`${name}.csv`, [columns.join(','), ...rows.map(row => columns.map(column => text(row[column] ?? '')).join(','))].join('\n') + '\n');
  }

  close() {
    this.asking?.abort();
    [this.demand, this.choices, this.stationary].forEach(chart => chart.close());
  }
}
