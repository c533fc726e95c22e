// Small helpers that every view uses: elements, requests, numbers, the address, and the event stream.

/** An element: h('a.big', {href: '#'}, 'text', child). Styles are set through the CSSOM, as the policy demands. */
export function h(tag, props, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name || 'div');
  if (classes.length) element.className = classes.join(' ');
  if (props instanceof Node || typeof props !== 'object' || Array.isArray(props)) {
    if (props !== undefined && props !== null) children.unshift(props);
    props = {};
  }
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'style') Object.assign(element.style, value);
    else if (key === 'dataset') Object.assign(element.dataset, value);
    else if (key in element && key !== 'list' && key !== 'form') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** A problem that the server explained: what is wrong, and what to do. */
export class Refusal extends Error {
  constructor(status, problem, remedy) {
    super(problem);
    this.status = status;
    this.remedy = remedy;
  }
}

async function answer(response) {
  if (response.ok) return response;
  const text = await response.text();
  let said = {problem: text.trim(), remedy: ''};
  try { said = JSON.parse(text); } catch { /* plain text */ }
  throw new Refusal(response.status, said.problem, said.remedy);
}

export const api = {
  get: async (path, options) => (await answer(await fetch('/api/' + path, options))).json(),
  bytes: async path => (await answer(await fetch('/api/' + path))).arrayBuffer(),
  post: async (path, body, options) => (await answer(await fetch('/api/' + path, {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), ...options,
  }))),
};

/** A number with so many significant digits, and thin spaces in large ones. */
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(Math.max(0, digits - 1));
  const decimals = size === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  const text = value.toFixed(Math.min(decimals, 8));
  const short = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  return size >= 10000 ? short.replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009') : short;
}

/** Steps as people say them: 250k, 1.5M. */
export function steps(value) {
  return value >= 1e6 ? number(value / 1e6, 3) + 'M' : value >= 1e3 ? number(value / 1e3, 4) + 'k' : number(value, 4);
}

export function text(value) {
  if (Array.isArray(value)) return value.join(',');
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** What is looked at, in the address: #/view?name=value. Reloading and links keep it. */
export const place = {
  get view() { return location.hash.replace(/^#\/?/, '').split('?')[0] || 'runs'; },
  get values() { return new URLSearchParams(location.hash.split('?')[1] || ''); },
  get(name, usual = '') { return this.values.get(name) ?? usual; },
  list(name) { return (this.values.get(name) || '').split(',').filter(Boolean); },
  address(view, values) {
    const all = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) if (value !== '' && value !== null && value !== undefined) all.set(name, value);
    const query = all.toString().replace(/%2C/g, ',');
    return '#/' + view + (query ? '?' + query : '');
  },
  set(changes) {
    const values = Object.fromEntries(this.values);
    history.replaceState(null, '', this.address(this.view, {...values, ...changes}));
  },
};

/** Colours that are told apart with and without colour vision, on light and on dark ground. */
const COLOURS = ['#2f6fd0', '#e08a1e', '#2a9d6f', '#c8447a', '#7a5bd0', '#8d7a3a', '#1f9fb5', '#d0532f', '#6b7785', '#a3a500'];
export const colour = index => COLOURS[((index % COLOURS.length) + COLOURS.length) % COLOURS.length];

export function say(message, bad = false) {
  const box = document.getElementById('say');
  box.textContent = message;
  box.className = message ? (bad ? 'shown bad' : 'shown') : '';
  clearTimeout(say.timer);
  if (message) say.timer = setTimeout(() => { box.className = ''; }, bad ? 9000 : 3000);
}

/** Shows what the server refused; what is no refusal goes to the console. */
export function complain(problem) {
  if (problem.name === 'AbortError') return;
  say(problem instanceof Refusal ? `${problem.message} ${problem.remedy || ''}` : String(problem), true);
  if (!(problem instanceof Refusal)) console.error(problem);
}

/** A command line that can be copied. */
export function commandLine(words) {
  const quoted = words.map(word => /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  return h('div.command', h('code', quoted), h('button.small', {
    type: 'button',
    onclick: async () => { await navigator.clipboard.writeText(quoted); say('Copied.'); },
  }, 'Copy'));
}

/** The one event stream of this page; closed while nobody looks, since a browser opens few connections. */
class Events extends EventTarget {
  start() {
    document.addEventListener('visibilitychange', () => document.hidden ? this.close() : this.open());
    this.open();
  }

  open() {
    if (this.source) return;
    this.source = new EventSource('/api/events');
    const light = document.getElementById('live');
    this.source.addEventListener('hello', () => {
      light.textContent = 'live';
      light.classList.add('on');
      this.dispatchEvent(new Event('hello'));
    });
    for (const kind of ['rows', 'reset', 'runs']) {
      this.source.addEventListener(kind, event =>
        this.dispatchEvent(new MessageEvent(kind, {data: JSON.parse(event.data)})));
    }
    this.source.onerror = () => {
      light.textContent = 'not connected';
      light.classList.remove('on');
    };
  }

  close() {
    this.source?.close();
    this.source = null;
  }
}
export const events = new Events();

export function download(name, content, type = 'text/csv') {
  const link = h('a', {href: URL.createObjectURL(new Blob([content], {type})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const dark = matchMedia('(prefers-color-scheme: dark)');
export const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
