// Policies in 3-D, with the rewards of every step on the same clock.
import {h, api, number, place, complain, say, colour, css, dark, download} from './common.js';
import {Chart} from './chart.js';
import {Stage, arrays} from './scene.js';

const SPEEDS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
const POLICIES = {'policy.safetensors': 'last', 'best.safetensors': 'best return', 'chosen.safetensors': 'chosen without the return', checkpoint: 'last checkpoint'};
const colours = () => ({sky: css('--sky'), floor: css('--floor'), line: css('--tiles')});

export async function open(view) {
  const listing = await api.get('runs');
  const playable = listing.runs.filter(run => run.can.includes('policy'));
  if (!playable.length) {
    view.append(h('div.empty', 'No run here has a policy to play. Train one:', h('br'), h('code', './revealed expert --task hopper --steps 200000 --out out/hopper')));
    return {};
  }
  const player = new Player(view, playable);
  await player.load();
  return player;
}

class Player {
  constructor(view, runs) {
    this.runs = runs;
    this.run = runs.find(run => run.id === place.get('run')) ?? runs[0];
    this.time = Number(place.get('t')) || 0;
    this.speed = SPEEDS.indexOf(1);
    this.canvas = h('canvas', {ariaLabel: 'The robot', role: 'img'});
    this.note = h('div.note');
    this.scene = h('div.scene', this.canvas, this.note);
    this.scrub = h('input', {type: 'range', min: 0, step: 1, value: 0, ariaLabel: 'Time'});
    this.scrub.addEventListener('input', () => { this.playing = false; this.seek(Number(this.scrub.value)); });
    this.toggle = h('button', {type: 'button', title: 'Space', onclick: () => this.play(!this.playing)}, '▶ Play');
    this.pace = h('select', {ariaLabel: 'Speed'}, SPEEDS.map((speed, i) => h('option', {value: i, selected: i === this.speed}, speed < 1 ? `1/${1 / speed}×` : `${speed}×`)));
    this.pace.addEventListener('change', () => { this.speed = Number(this.pace.value); });
    this.trueBox = h('div');
    this.recoveredBox = h('div');
    const step = by => () => { this.play(false); this.seek(Math.round(this.time) + by); };
    this.follow = h('input', {type: 'checkbox', checked: true, onchange: () => { this.stage.follow = this.follow.checked; this.draw(); }});
    const deck = h('div.deck', this.scrub,
      h('div.bar', h('button', {type: 'button', title: 'One step back (←)', onclick: step(-1)}, '‹'), this.toggle, h('button', {type: 'button', title: 'One step on (→)', onclick: step(1)}, '›'),
        this.pace, h('label.small', this.follow, ' follow'), h('span.grow'), h('span.small.soft', 'drag to turn, wheel to zoom, drag on a curve to scrub')),
      this.trueBox, this.recoveredBox);
    const option = run => h('option', {value: run.id, selected: run === this.run}, run.name);
    const tasks = [...new Set(runs.map(run => run.task))].sort();
    this.choose = h('select.field', {ariaLabel: 'Run'}, tasks.map(task => h('optgroup', {label: task}, runs.filter(run => run.task === task).map(option))));
    this.choose.addEventListener('change', () => { location.hash = place.address('robots', {run: this.choose.value}); });
    this.which = h('select.field', {ariaLabel: 'Policy'});
    this.episode = h('input.field', {type: 'number', min: 0, value: place.get('episode', 0), ariaLabel: 'Episode'});
    this.seed = h('input.field', {type: 'number', min: 0, value: place.get('seed', 1), ariaLabel: 'Seed'});
    this.noisy = h('input', {type: 'checkbox', checked: place.get('noise') === '1'});
    this.other = h('select.field', {ariaLabel: 'Beside it'});
    this.actions = h('input', {type: 'checkbox', checked: place.get('actions') === '1'});
    this.contacts = h('input', {type: 'checkbox', checked: place.get('contacts') === '1'});
    for (const input of [this.which, this.episode, this.seed, this.noisy, this.other]) input.addEventListener('change', () => this.load().catch(complain));
    for (const [name, input] of [['actions', this.actions], ['contacts', this.contacts]]) input.addEventListener('change', () => { place.set({[name]: input.checked ? '1' : ''}); this.draw(); });
    this.facts = h('div');
    this.bars = h('div');
    view.append(h('div.stage', this.scene, deck), h('aside.panel',
      h('label.small', 'Run', this.choose), h('label.small', 'Policy', this.which),
      h('div.bar', h('label.small.grow', 'Seed', this.seed), h('label.small.grow', 'Episode', this.episode)),
      h('label.small', this.noisy, ' draw actions at random'), h('label.small', 'Beside it', this.other), h('div.bar', h('label.small', this.actions, ' actions'), h('label.small', this.contacts, ' floor contacts')),
      this.facts, h('button', {type: 'button', title: 'Plays ten episodes and shows the one with the lowest return', onclick: event => this.worst(event.target).catch(complain)}, 'Find the worst of 10 episodes'), this.bars,
      h('div', h('h3', 'Save the episode'), h('div.bar', ...[['HTML', 'One file that plays it anywhere', () => this.export()], ['GIF', 'A moving picture, at most 10 seconds', () => this.film('gif')], ['Video', 'MP4 where this browser can, else WebM', () => this.film('video')], ['CSV', 'The rewards of each step', async () => this.save()]]
        .map(([name, title, act]) => h('button', {type: 'button', title, dataset: {save: name}, onclick: () => act().catch(complain)}, name)))),
      h('div.keys', h('p', h('kbd', 'Space'), ' play, ', h('kbd', '←'), ' ', h('kbd', '→'), ' one step, ', h('kbd', 'Home'), ' start, ', h('kbd', 'End'), ' end'),
        h('p', h('kbd', '['), ' ', h('kbd', ']'), ' slower, faster, ', h('kbd', 'F'), ' follow'))));
    this.keys = event => this.key(event);
    addEventListener('keydown', this.keys);
    this.repaint = () => { this.stage?.paint(colours()); this.draw(); };
    dark.addEventListener('change', this.repaint);
    this.resize = new ResizeObserver(() => this.draw());
    this.resize.observe(this.scene);
  }

  async load() {
    this.play(false);
    const {run} = this;
    const detail = await api.get(`runs/${run.id}`);
    const now = this.which.value || place.get('policy') || detail.policies[0];
    this.which.replaceChildren(...detail.policies.map(name => h('option', {value: name, selected: name === now}, POLICIES[name] ?? name)));
    const beside = this.other.options.length ? this.other.value : place.get('beside');
    const rivals = this.runs.filter(each => each.task === run.task && each.id !== run.id);
    this.other.replaceChildren(h('option', {value: ''}, 'nothing'), ...[detail.ghost && h('option', {value: 'ghost', selected: beside === 'ghost'}, 'the demonstration, as a ghost')].filter(Boolean),
      ...rivals.map(each => h('option', {value: each.id, selected: beside === each.id}, each.name)));
    place.set({run: run.id, policy: this.which.value === detail.policies[0] ? '' : this.which.value, seed: this.seed.value === '1' ? '' : this.seed.value, episode: this.episode.value === '0' ? '' : this.episode.value, noise: this.noisy.checked ? '1' : '', beside: this.other.value});
    this.note.textContent = 'The robot is being simulated …';
    const [buffer, shapes] = await Promise.all([this.ask(run.id, this.which.value), this.shapes ?? api.get(`tasks/${run.task}`)]);
    this.shapes = shapes;
    this.buffer = buffer;
    this.data = arrays(buffer);
    let second = null;
    if (this.other.value === 'ghost') second = arrays(await api.bytes(`runs/${run.id}/ghost`));
    else if (this.other.value) {
      const rival = await api.get(`runs/${this.other.value}`);
      second = arrays(await this.ask(this.other.value, rival.policies[0]));
    }
    this.frames = this.data.poses.shape[0];
    this.scrub.max = this.frames - 1;
    this.time = Math.min(this.time, this.frames - 1);
    await this.stageFor(second);
    this.curves(second);
    const {notes} = this.data;
    const fell = notes.ending === 'terminated';
    this.facts.replaceChildren(h('div', h('div.numbers', h('div', h('span.small.soft', 'True return'), h('b', number(Number(notes.return), 5))),
      h('div', h('span.small.soft', fell ? 'Fell at step' : 'Steps'), h(fell ? 'b.bad' : 'b', String(this.frames - 1)))),
    fell && h('div.bar', h('span.grow'), h('button.small', {type: 'button', dataset: {fall: ''}, onclick: () => { this.seek(this.frames - 1 - Math.round(2 / this.shapes.stepSeconds)); this.play(true); }}, 'Watch it fall ▸')),
    second?.true && h('p.small.soft', `Beside it: return ${number(second.true.values.reduce((a, b) => a + b, 0), 5)} in ${second.poses.shape[0] - 1} steps.`)));
    this.seek(this.time);
  }

  /** Plays ten episodes and shows the one with the lowest return. */
  async worst(button) {
    button.disabled = true;
    try {
      let least = {value: Infinity, episode: 0};
      for (let episode = 0; episode < 10; episode++) {
        this.note.textContent = `Episode ${episode + 1} of 10 is being simulated …`;
        const {notes} = arrays(await this.ask(this.run.id, this.which.value, episode));
        if (Number(notes.return) < least.value) least = {value: Number(notes.return), episode};
      }
      this.episode.value = least.episode;
      this.time = 0;
      await this.load();
      say(`Episode ${least.episode} has the lowest return.`);
    } finally {
      button.disabled = false;
    }
  }

  ask(id, policy, episode = Number(this.episode.value)) {
    return api.post(`runs/${id}/episodes`, {policy, seed: Number(this.seed.value), episode, stochastic: this.noisy.checked}).then(response => response.arrayBuffer());
  }

  async stageFor(second) {
    this.rewards = (this.data.recovered ?? this.data.true).values;
    if (this.blind) return;
    try {
      if (!this.stage) {
        const three = await import('../three/three.module.min.js');
        this.stage = new Stage(three, this.canvas, this.shapes, colours());
      }
      this.stage.clear();
      const ghost = this.other.value === 'ghost';
      this.stage.add(this.data, {rewards: this.rewards});
      if (second) this.stage.add(second, {ghost, beside: ghost ? 0 : 1.6});
    } catch (problem) {
      this.blind = true; // without WebGL the curves still work
      this.canvas.hidden = true;
      this.scene.append(h('p.problem', `${problem.message} The robot cannot be drawn; the rewards below are those of its episode.`));
    }
  }

  curves(second) {
    const xs = values => Array.from(values, (_, i) => i);
    const line = (name, index, values, dashed) => ({name, colour: colour(index), dashed, plain: true, lines: [{name, x: xs(values), y: Array.from(values)}]});
    const make = (box, chart) => chart ?? new Chart(box, {height: 104, seconds: true, legend: true, onScrub: x => { this.play(false); this.seek(Math.round(x)); }});
    this.trueChart = make(this.trueBox, this.trueChart);
    const beside = this.other.value === 'ghost' ? 'demonstration' : 'beside it';
    this.trueChart.set([line('true reward of a step', 0, this.data.true.values), ...(second?.true ? [line(`true reward, ${beside}`, 8, second.true.values, true)] : [])]);
    this.recoveredBox.hidden = !this.data.recovered;
    if (this.data.recovered) {
      this.recoveredChart = make(this.recoveredBox, this.recoveredChart);
      this.recoveredChart.set([line('recovered reward of a step', 1, this.data.recovered.values), ...(second?.recovered ? [line(`recovered reward, ${beside}`, 8, second.recovered.values, true)] : [])]);
    }
  }

  seek(time) {
    this.time = Math.max(0, Math.min(this.frames - 1, time));
    this.draw();
  }

  draw() {
    if (!this.data) return;
    if (this.stage) { this.stage.showContacts = this.contacts.checked; this.stage.show(this.time); }
    const t = Math.min(Math.round(this.time), this.frames - 2);
    this.scrub.value = this.time;
    const {stepSeconds} = this.shapes;
    const value = name => this.data[name] ? number(this.data[name].values[t], 3) : null;
    this.note.replaceChildren(h('span', h('b', `step ${Math.round(this.time)}`), ` of ${this.frames - 1}, ${(this.time * stepSeconds).toFixed(2)} s, true reward `, h('b', value('true')), value('recovered') && ', recovered ', value('recovered') && h('b', value('recovered')), this.contacts.checked && this.stage ? `, ${this.stage.touches} parts on the floor` : ''));
    const clock = Math.min(this.time, this.frames - 2); // rewards are of steps, one fewer than moments
    this.trueChart?.clock(clock);
    this.recoveredChart?.clock(clock);
    this.bars.hidden = !this.actions.checked;
    if (this.actions.checked) {
      const width = this.data.actions.shape[1];
      const most = this.most ??= Math.max(...this.data.actions.values.map(Math.abs)) || 1;
      this.bars.replaceChildren(h('h3', 'Actions'), ...Array.from({length: width}, (_, i) => {
        const share = this.data.actions.values[t * width + i] / most;
        return h('div.action', h('span.small.soft', `${i}`), h('span.axis', h('i', {style: {left: `${50 + Math.min(0, share) * 50}%`, width: `${Math.abs(share) * 50}%`}})));
      }));
    }
  }

  play(on) {
    this.playing = on;
    this.toggle.textContent = on ? '❚❚ Pause' : '▶ Play';
    if (!on) { place.set({t: Math.round(this.time) || ''}); return; }
    if (this.time >= this.frames - 1) this.time = 0;
    let last = performance.now();
    const tick = now => {
      if (!this.playing) return;
      this.time += Math.max(0, now - last) / 1000 / this.shapes.stepSeconds * SPEEDS[this.speed];
      last = now;
      if (this.time >= this.frames - 1) { this.seek(this.frames - 1); this.play(false); return; }
      this.draw();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  key(event) {
    if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName) && event.target.type !== 'range' && event.target.type !== 'checkbox') return;
    const acts = {
      ' ': () => this.play(!this.playing), ArrowLeft: () => { this.play(false); this.seek(Math.round(this.time) - 1); }, ArrowRight: () => { this.play(false); this.seek(Math.round(this.time) + 1); },
      Home: () => this.seek(0), End: () => this.seek(this.frames - 1), '[': () => this.faster(-1), ']': () => this.faster(1), f: () => this.follow.click(),
    };
    const act = acts[event.key] ?? acts[event.key.toLowerCase()];
    if (act) { event.preventDefault(); act(); }
  }

  faster(by) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
    this.pace.value = this.speed;
  }

  save() {
    const rows = ['step,true,recovered'];
    this.data.true.values.forEach((value, t) => rows.push([t, value, this.data.recovered?.values[t] ?? ''].join(',')));
    download(`${this.run.name.replaceAll('/', '-')}-episode.csv`, rows.join('\n') + '\n');
  }

  /** The robot as it is seen now, for at most ten seconds from where the clock stands. */
  async film(kind) {
    if (!this.stage) { say('Without WebGL there is nothing to film.', true); return; }
    this.play(false);
    const from = this.time >= this.frames - 2 ? 0 : this.time;
    const name = this.run.name.replaceAll('/', '-');
    const {canvas} = this, small = kind === 'gif' ? Math.min(1, 480 / canvas.clientWidth) : 1;
    const copy = h('canvas', {width: 2 * Math.round(canvas.clientWidth * small / 2), height: 2 * Math.round(canvas.clientHeight * small / 2)});
    const c = copy.getContext('2d', {willReadFrequently: kind === 'gif'});
    const rate = kind === 'gif' ? 20 : 30, per = SPEEDS[this.speed] / this.shapes.stepSeconds / rate;
    const count = Math.max(2, Math.min(10 * rate, Math.ceil((this.frames - 1 - from) / per)));
    const shoot = i => { this.seek(from + i * per); c.drawImage(canvas, 0, 0, copy.width, copy.height); };
    const {Gif, record} = await import('./film.js');
    if (kind === 'gif') {
      const gif = new Gif(copy.width, copy.height, 100 / rate);
      for (let i = 0; i < count; i++) {
        shoot(i);
        gif.add(c.getImageData(0, 0, copy.width, copy.height).data);
        if (i % 10 === 0) { say(`Filming, ${Math.round(100 * i / count)} % …`); await new Promise(done => setTimeout(done)); }
      }
      download(`${name}.gif`, gif.bytes(), 'image/gif');
    } else {
      const film = await record(copy, rate, count, shoot, share => say(`Filming, ${Math.round(100 * share)} % …`));
      download(`${name}.${film.type.includes('mp4') ? 'mp4' : 'webm'}`, film, film.type);
    }
    this.seek(from);
    say('Saved.');
  }

  /** One file that plays this episode anywhere, without us and without a network. */
  async export() {
    say('Writing …');
    const source = async path => (await fetch(path)).text();
    const [core, module, scene] = await Promise.all(['/three/three.core.min.js', '/three/three.module.min.js', '/page/scene.js'].map(source));
    let binary = '';
    for (const byte of new Uint8Array(this.buffer)) binary += String.fromCharCode(byte);
    const held = JSON.stringify({core, module, scene, shapes: this.shapes, episode: btoa(binary), colours: {sky: '#eef2f7', floor: '#d5dbe4', line: '#c3cad4'}}).replaceAll('<', '\\u003c');
    const run = `
const held = JSON.parse(document.getElementById('held').textContent);
const url = text => URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
const three = await import(url(held.module.replaceAll('./three.core.min.js', url(held.core))));
const {Stage, arrays} = await import(url(held.scene));
const data = arrays(Uint8Array.from(atob(held.episode), c => c.charCodeAt(0)).buffer);
const stage = new Stage(three, document.querySelector('canvas'), held.shapes, held.colours);
stage.add(data, {rewards: (data.recovered ?? data.true).values});
const slider = document.querySelector('input');
const frames = data.poses.shape[0];
slider.max = frames - 1;
let time = 0, playing = true, last = performance.now();
slider.oninput = () => { playing = false; time = Number(slider.value); };
document.onkeydown = event => { if (event.key === ' ') playing = !playing; };
const tick = now => {
  if (playing) { time = (time + Math.max(0, now - last) / 1000 / held.shapes.stepSeconds) % frames; slider.value = time; }
  last = now;
  stage.show(time);
  document.querySelector('p').textContent = 'step ' + Math.floor(time) + ', true reward ' + data.true.values[Math.min(Math.floor(time), frames - 2)].toFixed(2);
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);`;
    const title = `${this.run.task}, ${this.run.name}`.replace(/[<&]/g, '');
    download(`${this.run.name.replaceAll('/', '-')}.html`, `<!doctype html><meta charset="utf-8"><title>${title}</title>
<style>body{margin:0;font:14px system-ui,sans-serif}div{height:92vh}canvas{width:100%;height:100%;display:block}input{width:96%;margin:4px 2%}p{position:absolute;top:0;left:14px}</style>
<div><canvas></canvas></div><input type="range" min="0" value="0"><p></p>
<script type="application/json" id="held">${held}</${'script'}><script type="module">${run}</${'script'}>`, 'text/html');
    say('Saved.');
  }

  close() {
    this.playing = false;
    removeEventListener('keydown', this.keys);
    dark.removeEventListener('change', this.repaint);
    this.resize.disconnect();
    this.stage?.close();
    this.trueChart?.close();
    this.recoveredChart?.close();
  }
}
