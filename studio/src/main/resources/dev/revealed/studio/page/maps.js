// A board or a road network with numbers on it: one layer at a time, all of them where the pointer is.
import {h, number, place, css, dark, download} from './common.js';

const WAYS = [[1, 0], [-1, 0], [0, 1], [0, -1]]; // right, left, down, up, as the file has them
const RISING = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const ABOUT_ZERO = [[33, 82, 150], [120, 170, 214], [244, 244, 242], [236, 150, 110], [168, 28, 40]];
const ON_PAPER = [[150, 170, 205], [70, 120, 200], [60, 60, 160], [150, 40, 130], [225, 30, 60]]; // thin lines on a light or a dark ground

/** A colour between those of a list. */
function between(stops, share) {
  const at = Math.min(stops.length - 2, Math.floor(share * (stops.length - 1))), t = share * (stops.length - 1) - at;
  return stops[at].map((value, i) => Math.round(value + (stops[at + 1][i] - value) * t));
}
const light = ([r, g, b]) => 0.3 * r + 0.59 * g + 0.11 * b > 150;
const finite = values => values.filter(value => value !== null && Number.isFinite(value));

/** What a study of reward maps keeps in its result, as layers of one board. */
export function boardOf(maps) {
  if (!Array.isArray(maps) || !Array.isArray(maps[0]?.reward?.[0])) return null;
  return {kind: 'board', columns: maps[0].reward[0].length, layers: maps.map(map => ({name: map.name, diverging: true, values: map.reward.flat()}))};
}

export class MapView {
  constructor(box, map, name) {
    this.map = map;
    this.name = name;
    this.box = box;
    this.board = map.kind === 'board';
    this.canvas = h('canvas.map', {role: 'img', tabIndex: 0});
    this.tip = h('div.tip');
    const layer = Math.max(0, map.layers.findIndex(each => each.name === place.get('layer')));
    this.choose = h('select', {ariaLabel: 'Layer'}, map.layers.map((each, i) => h('option', {value: i, selected: i === layer}, each.name)));
    this.choose.addEventListener('change', () => { place.set({layer: this.layer.name}); this.log.checked = this.dominated(); this.draw(); });
    this.arrows = h('input', {type: 'checkbox', checked: true, onchange: () => this.draw()});
    this.log = h('input', {type: 'checkbox', onchange: () => this.draw()});
    this.legend = h('canvas', {width: 160, height: 12});
    this.low = h('span.small.soft');
    this.high = h('span.small.soft');
    this.logLabel = h('label.small', this.log, ' log scale');
    box.append(h('div.bar', h('label.small', 'show ', this.choose), map.policy && h('label.small', this.arrows, ' policy as arrows'), this.logLabel,
      h('span.grow'), this.low, this.legend, this.high, h('button.small', {type: 'button', onclick: () => this.save()}, 'CSV')),
    h('div.plot', this.canvas, this.tip),
    h('p.small.soft', this.board ? 'Move over a cell for its numbers. An arrow is as long as its move is probable, a dot as large as staying is.'
      : `Move over a link for its numbers; wheel or + and − to zoom, drag to move, double-click for all of it.${map.laidOut ? ' There are no coordinates: nodes are placed by the graph alone.' : ''}`));
    this.log.checked = this.dominated();
    this.view = {x: 0, y: 0, scale: 1};
    if (!this.board) this.bounds();
    this.control();
    this.repaint = () => this.draw();
    dark.addEventListener('change', this.repaint);
    this.size = new ResizeObserver(this.repaint);
    this.size.observe(box);
  }

  get layer() { return this.map.layers[Number(this.choose.value)]; }

  /** Whether few values are so large that others look alike beside them. */
  dominated() {
    const values = finite(this.layer.values).filter(value => value > 0).sort((a, b) => a - b);
    return !this.layer.diverging && values.length > 3 && values.length === finite(this.layer.values).filter(value => value !== 0).length && values.at(-1) > 20 * values[Math.floor(values.length / 2)];
  }

  bounds() {
    const xs = this.map.lines.flatMap(line => line.filter((_, i) => i % 2 === 0)), ys = this.map.lines.flatMap(line => line.filter((_, i) => i % 2));
    const least = values => values.reduce((a, b) => Math.min(a, b), Infinity), most = values => values.reduce((a, b) => Math.max(a, b), -Infinity);
    this.extent = {x: least(xs), y: least(ys), wide: most(xs) - least(xs) || 1, tall: most(ys) - least(ys) || 1};
  }

  scale() {
    const values = finite(this.layer.values);
    let low = values.reduce((a, b) => Math.min(a, b), Infinity), high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    if (this.layer.diverging) { high = Math.max(Math.abs(low), Math.abs(high)); low = -high; }
    if (this.log.checked) low = finite(values).filter(value => value > 0).reduce((a, b) => Math.min(a, b), high);
    const of = this.log.checked ? value => value <= 0 ? 0 : Math.log(value / low) / (Math.log(high / low) || 1) : value => high > low ? (value - low) / (high - low) : 0.5;
    return {low, high, share: value => value === null || !Number.isFinite(value) ? null : Math.max(0, Math.min(1, of(value)))};
  }

  draw() {
    const wide = this.box.clientWidth;
    if (!wide) return;
    const rows = this.board ? Math.ceil(this.layer.values.length / this.map.columns) : 0;
    this.cell = this.board ? Math.max(6, Math.min(64, wide / this.map.columns, 620 / rows)) : 0;
    const tall = this.board ? Math.ceil(this.cell * rows) : Math.round(Math.min(680, Math.max(280, wide * Math.min(1, this.extent.tall / this.extent.wide))));
    const ratio = devicePixelRatio;
    this.canvas.width = wide * ratio;
    this.canvas.height = tall * ratio;
    this.canvas.style.height = `${tall}px`;
    this.canvas.ariaLabel = `${this.layer.name} on ${this.board ? 'a board' : 'a road network'}`;
    const c = this.canvas.getContext('2d');
    c.scale(ratio, ratio);
    const scale = this.scale();
    this.logLabel.hidden = this.layer.diverging || !(finite(this.layer.values).some(value => value > 0));
    this.stops = this.layer.diverging ? ABOUT_ZERO : this.board ? RISING : ON_PAPER;
    const paint = share => `rgb(${between(this.stops, share).join(',')})`;
    if (this.board) this.cells(c, scale, paint);
    else this.links(c, scale, paint, wide, tall);
    const bar = this.legend.getContext('2d');
    for (let i = 0; i < 160; i++) { bar.fillStyle = paint(i / 159); bar.fillRect(i, 0, 1, 12); }
    this.low.textContent = number(scale.low, 3);
    this.high.textContent = number(scale.high, 3);
  }

  cells(c, scale, paint) {
    const {cell} = this, {columns, policy} = this.map;
    this.layer.values.forEach((value, s) => {
      const x = (s % columns) * cell, y = Math.floor(s / columns) * cell, share = scale.share(value);
      const ink = share === null ? css('--text') : light(between(this.stops, share)) ? 'rgba(20,24,32,.85)' : 'rgba(255,255,255,.92)';
      c.fillStyle = share === null ? css('--raised') : paint(share);
      c.fillRect(x + 0.5, y + 0.5, cell - 1, cell - 1);
      if (cell >= 44 && value !== null) {
        c.fillStyle = ink;
        c.font = '11px system-ui, sans-serif';
        c.textAlign = 'center';
        c.fillText(number(value, 3), x + cell / 2, y + cell - 5);
      }
      if (policy && this.arrows.checked && cell >= 12) {
        c.strokeStyle = c.fillStyle = ink;
        c.lineWidth = Math.max(1, cell / 30);
        const mid = [x + cell / 2, y + cell * (cell >= 44 ? 0.4 : 0.5)], room = cell * (cell >= 44 ? 0.34 : 0.46);
        WAYS.forEach(([dx, dy], way) => {
          const reach = policy[s][way] * room, head = Math.min(0.6 * reach, cell / 10);
          if (reach < 2) return;
          const [ex, ey] = [mid[0] + dx * reach, mid[1] + dy * reach];
          c.beginPath();
          c.moveTo(...mid);
          c.lineTo(ex, ey);
          c.stroke();
          c.beginPath(); // a head of its own, which grows with the arrow
          c.moveTo(ex + dx * head * 0.5, ey + dy * head * 0.5);
          c.lineTo(ex - head * (dx * 0.6 - dy * 0.55), ey - head * (dy * 0.6 - dx * 0.55));
          c.lineTo(ex - head * (dx * 0.6 + dy * 0.55), ey - head * (dy * 0.6 + dx * 0.55));
          c.fill();
        });
        if (policy[s][4] > 0.3) { c.beginPath(); c.arc(...mid, policy[s][4] * cell * 0.14, 0, 7); c.fill(); }
      }
      if (s === this.at) { c.strokeStyle = css('--text'); c.lineWidth = 2; c.strokeRect(x + 1, y + 1, cell - 2, cell - 2); }
    });
  }

  /** Links in the order of their numbers, so that large ones lie on top; two ways of one road beside each other. */
  links(c, scale, paint, wide, tall) {
    const {extent, view} = this;
    const fit = 0.96 * Math.min(wide / extent.wide, tall / extent.tall);
    const across = x => (x - extent.x - extent.wide / 2) * fit * view.scale + wide / 2 + view.x, up = y => -(y - extent.y - extent.tall / 2) * fit * view.scale + tall / 2 + view.y;
    this.drawn = this.map.lines.map(line => {
      const points = [];
      for (let i = 0; i < line.length; i += 2) points.push([across(line[i]), up(line[i + 1])]);
      const [a, b] = [points[0], points.at(-1)], length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1, side = Math.min(2, length / 12);
      return points.map(([x, y]) => [x - side * (b[1] - a[1]) / length, y + side * (b[0] - a[0]) / length]);
    });
    const shares = this.layer.values.map(value => this.layer.diverging || value !== 0 ? scale.share(value) : null);
    const order = shares.map((share, i) => i).sort((a, b) => (this.layer.diverging ? Math.abs((shares[a] ?? 0.5) - 0.5) - Math.abs((shares[b] ?? 0.5) - 0.5) : (shares[a] ?? -1) - (shares[b] ?? -1)));
    c.lineCap = 'round';
    for (const i of order) {
      const share = shares[i];
      c.strokeStyle = i === this.at ? css('--text') : share === null ? css('--line') : paint(share);
      c.lineWidth = i === this.at ? 5 : share === null ? 1 : 1.2 + 3.4 * (this.layer.diverging ? 2 * Math.abs(share - 0.5) : share);
      c.beginPath();
      this.drawn[i].forEach(([x, y], k) => k ? c.lineTo(x, y) : c.moveTo(x, y));
      c.stroke();
    }
  }

  /** The cell or link at a place on the canvas. */
  find(x, y) {
    if (this.board) {
      const column = Math.floor(x / this.cell), s = Math.floor(y / this.cell) * this.map.columns + column;
      return column >= 0 && column < this.map.columns && s < this.layer.values.length ? s : -1;
    }
    let best = -1, near = 10;
    this.drawn?.forEach((points, i) => {
      for (let k = 1; k < points.length; k++) {
        const [[ax, ay], [bx, by]] = [points[k - 1], points[k]], dx = bx - ax, dy = by - ay;
        const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1))), away = Math.hypot(x - ax - t * dx, y - ay - t * dy);
        if (away < near) { near = away; best = i; }
      }
    });
    return best;
  }

  control() {
    let last = null;
    const zoom = (by, x, y) => {
      const {view, canvas} = this, next = Math.max(1, Math.min(200, view.scale * by)), k = next / view.scale;
      const cx = x - canvas.clientWidth / 2, cy = y - canvas.clientHeight / 2;
      Object.assign(view, {x: cx - k * (cx - view.x), y: cy - k * (cy - view.y), scale: next});
      if (next === 1) Object.assign(view, {x: 0, y: 0});
      this.draw();
    };
    const {canvas} = this;
    canvas.addEventListener('pointermove', event => {
      const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      if (last && !this.board) {
        this.view.x += event.clientX - last.clientX;
        this.view.y += event.clientY - last.clientY;
        last = event;
        this.draw();
        return;
      }
      this.point(this.find(x, y), x, y);
    });
    canvas.addEventListener('pointerdown', event => { last = event; });
    canvas.addEventListener('pointerup', () => { last = null; });
    canvas.addEventListener('pointerleave', () => { last = null; this.point(-1); });
    if (this.board) return;
    canvas.addEventListener('wheel', event => { event.preventDefault(); const box = canvas.getBoundingClientRect(); zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top); }, {passive: false});
    canvas.addEventListener('dblclick', () => { this.view = {x: 0, y: 0, scale: 1}; this.draw(); });
    canvas.addEventListener('keydown', event => {
      if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? 1.4 : 1 / 1.4, canvas.clientWidth / 2, canvas.clientHeight / 2);
    });
  }

  point(at, x, y) {
    if (at !== this.at) { this.at = at; this.draw(); }
    this.tip.style.display = at < 0 ? 'none' : 'block';
    if (at < 0) return;
    const {columns, policy, names, layers} = this.map;
    const title = this.board ? `row ${Math.floor(at / columns)}, column ${at % columns}` : `link ${names[at]}`;
    this.tip.replaceChildren(h('b', title), ...layers.map(layer => h('div', h('span', layer.name), h('span', number(layer.values[at], 5)))),
      ...(policy ? ['right', 'left', 'down', 'up', 'stay'].map((way, i) => h('div.soft', h('span', way), h('span', number(policy[at][i], 3)))) : []));
    this.tip.style.left = `${Math.max(0, x + 18 + this.tip.offsetWidth > this.box.clientWidth ? x - this.tip.offsetWidth - 12 : x + 18)}px`;
    this.tip.style.top = `${Math.max(0, Math.min(y, this.canvas.clientHeight - this.tip.offsetHeight))}px`;
  }

  save() {
    const {columns, names, layers, policy} = this.map;
    const head = [...(this.board ? ['row', 'column'] : ['link']), ...layers.map(layer => layer.name), ...(policy ? ['right', 'left', 'down', 'up', 'stay'] : [])];
    const quoted = cell => /[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell;
    const rows = layers[0].values.map((_, i) => [...(this.board ? [Math.floor(i / columns), i % columns] : [names[i]]), ...layers.map(layer => layer.values[i] ?? ''), ...(policy ? policy[i] : [])]);
    download(`${this.name.replaceAll('/', '-')}-map.csv`, [head, ...rows].map(row => row.map(quoted).join(',')).join('\n') + '\n');
  }

  close() {
    dark.removeEventListener('change', this.repaint);
    this.size.disconnect();
  }
}
