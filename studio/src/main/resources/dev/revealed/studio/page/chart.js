// Line charts on uPlot: groups of runs as a line with a band, the runs of a group while the pointer is near it.
import {h, number, steps, css, dark} from './common.js';

/** Interpolates nothing: every x of every line, with gaps where a line has no value there. */
export function align(lines) {
  const xs = [...new Set(lines.flatMap(line => line.x))].sort((a, b) => a - b);
  const at = new Map(xs.map((x, i) => [x, i]));
  return [xs, lines.map(line => {
    const values = new Array(xs.length).fill(null);
    line.x.forEach((x, i) => { values[at.get(x)] = Number.isFinite(line.y[i]) ? line.y[i] : null; });
    return values;
  })];
}

/** Exponential smoothing that starts at the first value; 0 leaves the line as it is. */
export function smooth(values, weight) {
  let last = null;
  return values.map(value => {
    if (value === null) return null;
    last = last === null ? value : weight * last + (1 - weight) * value;
    return last;
  });
}

/** Mean, least and most of lines at each x: of those that have a value there. */
export function band(columns) {
  const length = columns[0]?.length ?? 0;
  const mean = [], low = [], high = [];
  for (let i = 0; i < length; i++) {
    const here = columns.map(column => column[i]).filter(value => value !== null);
    mean.push(here.length ? here.reduce((a, b) => a + b, 0) / here.length : null);
    low.push(here.length ? Math.min(...here) : null);
    high.push(here.length ? Math.max(...here) : null);
  }
  return {mean, low, high};
}

const faint = (colour, share) => colour + Math.round(255 * share).toString(16).padStart(2, '0');

/**
 * A chart in an element.
 * groups: [{name, colour, lines: [{name, x, y}], dashed, plain}], with low: true where lines are value, low and high; options: height, smoothing, xLabel, marks [{y, label}], log,
 * cursor (x), onScrub(x), integer x shown as steps.
 */
export class Chart {
  constructor(element, options) {
    this.element = element;
    this.options = options;
    this.tip = h('div.tip');
    element.classList.add('plot');
    element.chart = this; // for those who look in from outside
    this.size = new ResizeObserver(() => this.plot?.setSize({width: element.clientWidth, height: options.height}));
    this.size.observe(element);
    this.recolour = () => this.set(this.groups, this.options);
    dark.addEventListener('change', this.recolour);
  }

  close() {
    this.size.disconnect();
    dark.removeEventListener('change', this.recolour);
    this.plot?.destroy();
  }

  set(groups, options = {}) {
    Object.assign(this.options, options);
    this.groups = groups;
    const lines = groups.flatMap(group => group.lines);
    const [xs, columns] = align(lines);
    const data = [xs];
    const series = [{}];
    const bands = [];
    this.members = []; // series of single runs, by group
    this.means = [];
    let at = 0;
    const weight = this.options.smoothing || 0;
    groups.forEach((group, g) => {
      const own = columns.slice(at, at + group.lines.length);
      at += group.lines.length;
      const spread = group.low ? {mean: own[0], low: own[1], high: own[2]} : band(own); // an interval, or the range of runs
      const {mean, low, high} = spread;
      const many = own.length > 1;
      const add = (values, more) => { data.push(values); series.push({spanGaps: true, points: {show: false}, ...more}); return series.length - 1; };
      if (many) {
        const top = add(high, {stroke: 'transparent', width: 0});
        const bottom = add(low, {stroke: 'transparent', width: 0});
        bands.push({series: [top, bottom], fill: faint(group.colour, 0.16)});
      }
      if (weight > 0) add(mean, {stroke: faint(group.colour, 0.3), width: 1});
      this.members[g] = many && !group.low ? own.map(values => add(values, {stroke: faint(group.colour, 0.75), width: 1, show: false})) : [];
      const few = mean.filter(value => value !== null).length < 60;
      this.means[g] = add(weight > 0 ? smooth(mean, weight) : mean, {
        stroke: group.colour, width: 2, dash: group.dashed ? [6, 4] : undefined, points: {show: few && !group.plain, size: 4, fill: group.colour},
      });
    });
    this.columns = columns;
    const zoom = this.plot && this.zoomed ? this.plot.scales.x : null;
    const kept = zoom ? {min: zoom.min, max: zoom.max} : null;
    // uPlot does not draw a band again that was empty in between, so a line that comes or goes makes a new chart
    const shape = JSON.stringify([groups.map(group => [group.name, group.colour, group.lines.map(line => line.y.some(Number.isFinite))]), weight > 0, this.options.log, dark.matches]);
    if (this.plot && this.shape === shape) {
      this.plot.setData(data, !kept);
      if (kept) this.plot.setScale('x', kept);
      return;
    }
    this.shape = shape;
    this.plot?.destroy();
    const axis = {stroke: css('--soft'), grid: {stroke: css('--grid'), width: 1}, ticks: {stroke: css('--grid'), width: 1}, font: '12px system-ui, "DejaVu Sans", sans-serif'};
    const show = this.options.seconds ? value => number(value, 4) : steps;
    this.plot = new uPlot({
      width: this.element.clientWidth || 400,
      height: this.options.height,
      padding: [8, 14, 0, 0],
      series,
      bands,
      cursor: {
        y: false,
        drag: {x: !this.options.onScrub, y: false, setScale: true},
        points: {show: false},
        focus: {prox: 24},
        bind: this.options.onScrub ? {dblclick: () => null} : {},
      },
      legend: {show: false},
      scales: {x: {time: false}, y: {distr: this.options.log ? 3 : 1}},
      axes: [
        {...axis, values: (_, ticks) => ticks.map(this.options.names ? tick => this.options.names[tick] ?? '' : show), size: 34, label: this.options.xLabel, labelSize: this.options.xLabel ? 20 : 0, labelFont: '12px system-ui, sans-serif'},
        {...axis, values: (_, ticks) => ticks.map(tick => tick === null ? '' : number(tick, 4)), size: 62},
      ],
      hooks: {
        setCursor: [plot => this.point(plot)],
        setScale: [(plot, key) => { if (key === 'x' && plot.data[0].length) this.zoomed = plot.scales.x.min > plot.data[0][0] || plot.scales.x.max < plot.data[0].at(-1); }],
        draw: [plot => this.marks(plot)],
      },
    }, data, this.element);
    this.element.append(this.tip);
    if (this.options.legend) {
      this.element.querySelector('.legend')?.remove();
      this.element.append(h('div.legend', groups.map(group => h('span', h('i', {style: {background: group.colour}}), group.name))));
    }
    const over = this.plot.over;
    over.addEventListener('mouseleave', () => { this.tip.style.display = 'none'; this.near(-1); });
    if (this.options.onScrub) {
      const scrub = event => {
        const box = over.getBoundingClientRect();
        this.options.onScrub(this.plot.posToVal(event.clientX - box.left, 'x'));
      };
      over.addEventListener('pointerdown', event => { over.setPointerCapture(event.pointerId); this.dragging = true; scrub(event); });
      over.addEventListener('pointermove', event => { if (this.dragging) scrub(event); });
      over.addEventListener('pointerup', () => { this.dragging = false; });
    }
    if (kept) this.plot.setScale('x', kept);
  }

  /** Horizontal lines with a name, and where the clock stands. */
  marks(plot) {
    const {ctx, bbox} = plot;
    const ratio = devicePixelRatio;
    ctx.save();
    for (const mark of this.options.marks || []) {
      const y = plot.valToPos(mark.y, 'y', true);
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      ctx.strokeStyle = ctx.fillStyle = css('--soft');
      ctx.setLineDash([4 * ratio, 4 * ratio]);
      ctx.lineWidth = ratio;
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.font = `${11 * ratio}px system-ui, sans-serif`;
      ctx.textAlign = 'right';
      ctx.fillText(mark.label, bbox.left + bbox.width - 4 * ratio, y - 4 * ratio);
    }
    if (this.options.at !== undefined && this.options.at !== null) {
      const x = plot.valToPos(this.options.at, 'x', true);
      ctx.setLineDash([]);
      ctx.strokeStyle = css('--text');
      ctx.lineWidth = 1.5 * ratio;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  clock(x) {
    this.options.at = x;
    this.plot?.redraw(false, false);
  }

  near(group) {
    if (this.nearest === group) return;
    this.nearest = group;
    this.plot.batch(() => this.members.forEach((all, g) => all.forEach(i => {
      if (this.plot.series[i].show !== (g === group)) this.plot.setSeries(i, {show: g === group}, false);
    })));
  }

  point(plot) {
    const {idx, left, top} = plot.cursor;
    if (idx === null || idx === undefined || left < 0) { this.tip.style.display = 'none'; return; }
    let nearest = -1, closest = 60;
    const here = this.groups.map((group, g) => {
      const value = this.value(plot, this.means[g], idx);
      const away = value === null ? Infinity : Math.abs(plot.valToPos(value, 'y') - top);
      if (away < closest) { closest = away; nearest = g; }
      return {group, value};
    });
    if (!this.options.onScrub) this.near(nearest);
    const x = plot.data[0][idx];
    const rows = [h('b', this.options.names ? this.options.names[x] ?? '' : (this.options.seconds ? number(x, 4) : steps(x)) + (this.options.xLabel ? ' ' + this.options.xLabel : ''))];
    for (const [g, {group, value}] of here.entries()) {
      if (value === null) continue;
      rows.push(h('div', h('span', {style: {color: group.colour, fontWeight: g === nearest ? 700 : 400}}, group.name), h('span', number(value, 5))));
      if (g === nearest && this.members[g].length) {
        const runs = group.lines.map((line, i) => [line.name, this.value(plot, this.members[g][i], idx)]).filter(pair => pair[1] !== null);
        runs.sort((a, b) => b[1] - a[1]);
        rows.push(...runs.map(([name, each]) => h('div.soft', h('span', name), h('span', number(each, 5)))));
      }
    }
    this.tip.replaceChildren(...rows);
    this.tip.style.display = 'block';
    const wide = this.tip.offsetWidth;
    const shift = plot.over.offsetLeft + left + 16 + wide > this.element.clientWidth ? left - wide - 16 : left + 16;
    this.tip.style.left = `${plot.over.offsetLeft + Math.max(shift, -plot.over.offsetLeft)}px`;
    this.tip.style.top = `${plot.over.offsetTop + 8}px`;
  }

  /** The value at an index, or the last one before it: runs are not evaluated at the same steps. */
  value(plot, series, index) {
    const values = plot.data[series];
    for (let i = index; i >= 0 && i > index - 40; i--) if (values[i] !== null && values[i] !== undefined) return values[i];
    return null;
  }
}
