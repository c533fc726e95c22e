// A recovered reward: what it depends on, two inputs at a time, and along a demonstration.
import {h, api, number, place, complain, colour, css, dark, download} from './common.js';
import {Chart} from './chart.js';
import {heat} from './scene.js';

export async function open(view) {
  const listing = await api.get('runs');
  const runs = listing.runs.filter(run => run.can.includes('reward'));
  if (!runs.length) {
    view.append(h('div.empty', 'No run here has recovered a reward. Make one:', h('br'), h('code', './revealed imitate --task hopper --demos FILE --out out/hopper')));
    return {};
  }
  const run = runs.find(each => each.id === place.get('run')) ?? runs[0];
  place.set({run: run.id});
  const choose = h('select.field', {ariaLabel: 'Run'}, [...new Set(runs.map(each => each.task))].sort().map(task =>
    h('optgroup', {label: task}, runs.filter(each => each.task === task).map(each => h('option', {value: each.id, selected: each === run}, each.name)))));
  choose.addEventListener('change', () => { location.hash = place.address('rewards', {run: choose.value}); });
  const facts = h('div');
  const side = h('aside.sliders', h('section.card', h('div.head', h('h2', 'Recovered reward')), choose, facts));
  const right = h('div.stack');
  view.append(side, right);
  const found = await api.get(`runs/${run.id}/reward`);
  const charts = [];
  const card = (title, about, ...content) => { const box = h('section.card', h('div.head', h('h2.grow', title)), h('p.small.soft.about', about), ...content); right.append(box); return box; };

  const {recovered, truth, correlation} = found.along;
  facts.replaceChildren(h('p.small', `A function of ${found.ofStates ? 'states' : 'states and actions'}, ${found.names.length} inputs, looked at around ${number(found.steps, 6)} demonstrated steps.`),
    h('div.numbers', h('div', h('span.small.soft', 'Mean of a step'), h('b', number(recovered.reduce((a, b) => a + b, 0) / recovered.length, 4))),
      h('div', h('span.small.soft', 'Correlation with the true reward'), h('b', correlation === null || correlation === undefined ? '–' : number(correlation, 3)))),
    h('p.small.soft', 'A reward is recovered up to what behaviour cannot tell: compare shapes, not levels.'));

  // two inputs
  const select = (name, usual) => {
    const box = h('select', {ariaLabel: name}, found.names.map((each, i) => h('option', {value: i, selected: i === usual}, each)));
    box.addEventListener('change', () => slice().catch(complain));
    return box;
  };
  const x = select('Across', Number(place.get('x') || found.inputs[0].index));
  const y = select('Up', Number(place.get('y') || (found.inputs[1] ?? found.inputs[0]).index));
  const points = h('input', {type: 'checkbox', checked: true, onchange: () => paint()});
  const canvas = h('canvas.map', {ariaLabel: 'The reward over two inputs', role: 'img'});
  const scale = h('span.small.soft');
  side.append(h('section.card.fields', h('label.small', 'Across', x), h('label.small', 'Up', y), h('label.small', h('span', points, ' demonstrated steps on top'))));
  card('Two inputs at a time', 'Mean reward over demonstrated steps with these two inputs replaced: blue is low, yellow is high.', canvas, scale);
  let shown = null;

  async function slice() {
    place.set({x: x.value, y: y.value});
    shown = await api.get(`runs/${run.id}/reward/${x.value}/${y.value}`);
    paint();
  }

  function paint() {
    const wide = canvas.parentElement.clientWidth - 28, tall = 380, left = 78, bottom = 42;
    canvas.width = wide * devicePixelRatio;
    canvas.height = tall * devicePixelRatio;
    canvas.style.height = `${tall}px`;
    const c = canvas.getContext('2d');
    c.scale(devicePixelRatio, devicePixelRatio);
    const all = shown.reward.flat();
    const low = Math.min(...all), high = Math.max(...all);
    const w = (wide - left - 8) / shown.xs.length, t = (tall - bottom - 6) / shown.ys.length;
    shown.reward.forEach((row, j) => row.forEach((value, i) => {
      const [r, g, b] = heat(high > low ? (value - low) / (high - low) : 0.5);
      c.fillStyle = `rgb(${255 * r},${255 * g},${255 * b})`;
      c.fillRect(left + i * w, tall - bottom - (j + 1) * t, w + 0.7, t + 0.7);
    }));
    const across = value => left + (value - shown.xs[0]) / (shown.xs.at(-1) - shown.xs[0]) * (wide - left - 8);
    const up = value => tall - bottom - (value - shown.ys[0]) / (shown.ys.at(-1) - shown.ys[0]) * (tall - bottom - 6);
    if (points.checked) {
      c.fillStyle = 'rgba(10,14,20,.55)';
      for (const [px, py] of shown.shown) if (across(px) >= left && across(px) <= wide - 8 && up(py) >= 6 && up(py) <= tall - bottom) c.fillRect(across(px) - 1.5, up(py) - 1.5, 3, 3);
    }
    c.fillStyle = css('--soft');
    c.font = '12px system-ui, sans-serif';
    for (let k = 0; k <= 4; k++) {
      const vx = shown.xs[0] + (shown.xs.at(-1) - shown.xs[0]) * k / 4, vy = shown.ys[0] + (shown.ys.at(-1) - shown.ys[0]) * k / 4;
      c.textAlign = k === 4 ? 'right' : 'center';
      c.fillText(number(vx, 3), across(vx), tall - bottom + 16);
      c.textAlign = 'right';
      c.fillText(number(vy, 3), left - 8, up(vy) + (k === 4 ? 10 : k === 0 ? -2 : 4));
    }
    c.textAlign = 'center';
    c.fillText(shown.x, (left + wide) / 2, tall - 6);
    c.save();
    c.translate(13, (tall - bottom) / 2);
    c.rotate(-Math.PI / 2);
    c.fillText(shown.y, 0, 0);
    c.restore();
    scale.textContent = `from ${number(low, 3)} (blue) to ${number(high, 3)} (yellow)`;
  }

  const along = h('div');
  const line = (name, index, values) => ({name, colour: colour(index), plain: true, lines: [{name, x: values.map((_, i) => i), y: values}]});
  const standard = values => { const m = values.reduce((a, b) => a + b, 0) / values.length; const s = Math.sqrt(values.reduce((a, b) => a + (b - m) ** 2, 0) / values.length) || 1; return values.map(v => (v - m) / s); };
  card('Along a demonstration', truth ? 'Both rewards of each step, less their means and in their standard deviations, so that shapes can be compared.' : 'The recovered reward of each step.', along);
  const {spread} = found;
  if (spread) {
    const box = h('div', {dataset: {spread: spread.rewards}});
    card('How sure it is along a demonstration', `Mean and 95 % interval of each step, over ${spread.rewards} rewards that were recovered in the same way${spread.drawn === spread.rewards ? ' from resampled demonstrations' : spread.drawn ? `, ${spread.drawn} of them from resampled demonstrations` : ' with other seeds: they vary by training alone (imitate --bootstrap resamples demonstrations too)'}. Each reward has mean 0 and deviation 1 over all steps; two of them correlate by ${number(spread.agreement, 3)}.`, box);
    const sure = new Chart(box, {height: 220, seconds: true, legend: true, xLabel: 'step', marks: [{y: 0, label: 'mean of all steps'}]});
    sure.set([{name: 'mean, 95 % interval', colour: colour(1), plain: true, low: true, lines: ['mean', 'low', 'high'].map(name => ({name, x: spread[name].map((_, i) => i), y: spread[name]}))}]);
    charts.push(sure);
  }
  const chart = new Chart(along, {height: 200, seconds: true, legend: true, xLabel: 'step'});
  chart.set(truth ? [line('recovered', 1, standard(recovered)), line('true', 0, standard(truth))] : [line('recovered', 1, recovered)]);
  charts.push(chart);

  const grid = h('div.curves');
  card('What it depends on', 'Partial dependence on the inputs that matter most: the mean reward over demonstrated steps with that input replaced.', grid);
  for (const input of found.inputs) {
    const box = h('div');
    grid.append(h('div', {dataset: {input: input.index}}, h('div.bar', h('b.grow', input.name), h('span.small.soft', `moves the reward by ${number(input.range, 3)}`)), box));
    const each = new Chart(box, {height: 130, seconds: true});
    each.set([line(input.name, 0, input.reward)].map(group => ({...group, lines: [{name: input.name, x: input.at, y: input.reward}]})));
    charts.push(each);
  }
  side.append(h('button', {type: 'button', onclick: () => download('partial-dependence.csv', ['input,value,reward', ...found.inputs.flatMap(input => input.at.map((at, i) => `${input.name},${at},${input.reward[i]}`))].join('\n') + '\n')}, 'Save partial dependence as CSV'));
  await slice();
  dark.addEventListener('change', paint);
  const size = new ResizeObserver(() => shown && paint());
  size.observe(right);
  return {close() { dark.removeEventListener('change', paint); size.disconnect(); charts.forEach(each => each.close()); }};
}
