// The frame of the page: tabs, and which view the address asks for.
import {h, place, events, complain} from './common.js';

const VIEWS = {
  runs: ['Runs', () => import('./runs.js')],
  robots: ['Robots', () => import('./robots.js')],
  rewards: ['Rewards', () => import('./rewards.js')],
  economics: ['Economics', () => import('./economics.js')],
  start: ['Start', () => import('./start.js')],
};

let shown = null;

async function show() {
  const name = VIEWS[place.view] ? place.view : 'runs';
  const view = document.getElementById('view');
  for (const tab of document.querySelectorAll('#tabs a')) {
    tab.toggleAttribute('aria-current', tab.dataset.view === name);
  }
  document.title = `${VIEWS[name][0]} – Revealed studio`;
  delete document.body.dataset.ready;
  shown?.close?.();
  shown = null;
  try {
    const module = await VIEWS[name][1]();
    view.replaceChildren();
    view.className = name;
    shown = await module.open(view);
  } catch (problem) {
    view.replaceChildren(h('p.problem', problem.message, ' ', problem.remedy || ''));
    complain(problem);
  }
  document.body.dataset.ready = name;
}

document.getElementById('tabs').append(...Object.entries(VIEWS).map(([name, [label]]) =>
  h('a', {href: '#/' + name, dataset: {view: name}}, label)));
addEventListener('hashchange', show);
events.start();
show();
