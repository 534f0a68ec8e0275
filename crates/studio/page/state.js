// @ts-check
/** The state after the step, changes marked, and the steps that are enabled there: what else could happen. */

import { button, fill, h, plural, soon } from './dom.js';
import { changes, short, thread } from './run.js';
import { begin, fork, go, listen, lookAt, store, wander } from './store.js';
import { deadlock, race, why } from './why.js';

/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('./run.js').Move} Move */

/** A key that is held down asks only where it comes to rest. */
const REST = 90;

export class State extends HTMLElement {
  connectedCallback() {
    this.classList.add('pane');
    this.heading = h('h2', {});
    this.body = h('div', { class: 'scroll' });
    this.append(this.heading, this.body);
    const draw = soon(() => this.draw());
    listen(changed => {
      if (!['run', 'at', 'answer', 'view'].some(name => changed.has(name))) return;
      draw();
      clearTimeout(this.waits);
      const { run, at } = store;
      if (run && ['run', 'graph', 'automaton'].includes(store.view) && !run.frames.has(at)) this.waits = setTimeout(() => lookAt(run, at), REST);
    });
    draw();
  }

  draw() {
    const { run, at } = store, { heading, body } = this;
    if (!heading || !body) return;
    if (!run) { fill(heading, 'State'); fill(body); return; }
    fill(heading, at ? `After step ${at}` : 'At the start', h('span', { class: 'grow' }), at < run.last || run.about.abstract || run.frames.get(at)?.moves.length === 0 ? null : button('Random steps', () => wander(run, at, 20), { class: 'small', title: 'Go on with up to 20 random steps' }));
    const scrolled = body.scrollTop;
    const end = at === run.last;
    fill(body, end ? why(run) : null, ...(end ? [...deadlock(run), ...race(run)] : []), ...called(run, at), ...groups(run, at), ...ways(run, at));
    body.scrollTop = scrolled;
  }
}
customElements.define('weave-state', State);

/** Where a program is called from. @param {Run} run @param {number} at */
function called(run, at) {
  const step = run.steps[at - 1];
  if (!step?.stack?.length) return [];
  const file = (/** @type {string} */ path) => path.slice(path.lastIndexOf('/') + 1);
  return [h('div', { class: 'grp', style: { '--who': thread(step.actor) } }, `${run.name(step.actor)}: ${step.operation} ${step.object ?? ''}`), ...step.stack.map(frame => h('div', { class: 'var' }, h('span', {}, frame.function), h('b', {}, `${file(frame.file)}:${frame.line}`)))];
}

/** What the step does to the objects. @param {Run} run @param {number} at */
function objects(run, at) {
  if (run.about.abstract || !at) return [];
  const all = changes(run.heaps[at - 1], run.heaps[at]), step = run.steps[at - 1];
  return [h('div', { class: 'grp', style: { '--who': thread(step.actor) } }, `${run.name(step.actor)}: ${step.statements[0]?.text ?? ''}`),
    ...all.map(({ text, gone }) => h('div', { class: `var${gone ? ' gone' : ' hot'}` }, h('span', { title: text }, text), h('b', {}, gone ? 'no more' : '')))];
}

/** @param {Run} run @param {number} at */
function groups(run, at) {
  if (run.heaps.length) return objects(run, at);
  const state = run.state(at), changed = new Map((at ? run.steps[at - 1].changes : []).map(change => [change.name, change]));
  /** @type {Map<number, string[]>} */ const owned = new Map();
  for (const name of Object.keys(state)) { const owner = run.owner(name); owned.set(owner, [...owned.get(owner) ?? [], name]); }
  const order = [-1, ...run.lanes].filter(actor => owned.has(actor));
  return order.flatMap(actor => {
    const names = owned.get(actor) ?? [], quiet = names.filter(name => state[name] === run.beginning[name] && !changed.has(name) && names.length > 4);
    return [
      h('div', { class: 'grp', style: { '--who': thread(actor) } }, actor < 0 ? 'Shared' : run.name(actor), actor < 0 ? null : h('small', {}, `[${run.trace.actors[actor].pid}]`)),
      ...names.filter(name => !quiet.includes(name)).map(name => {
        const change = changed.get(name);
        return h('div', { class: `var${change ? ' hot' : ''}`, title: `${name} = ${state[name]}` }, h('span', {}, short(name)), change ? h('s', {}, change.before) : null, h('b', {}, state[name]));
      }),
      quiet.length ? h('div', { class: 'var quiet', title: quiet.map(name => `${short(name)} = ${state[name]}`).join('\n') }, h('span', {}, `${quiet.map(short).join(' ')}`)) : null,
    ];
  });
}

/** The steps that are enabled here. @param {Run} run @param {number} at */
function ways(run, at) {
  if (run.about.abstract) return [h('p', { class: 'hint inset' }, 'Nothing has executed this run: it may be one of the program, or not.')];
  const frame = run.frames.get(at), taken = run.choices[at]?.taken;
  if (!frame) return [h('div', { class: 'grp accent' }, 'Looking at what could happen here …')];
  if (!frame.moves.length) return [h('div', { class: 'grp accent' }, frame.status === 'deadlock' ? 'No step is enabled' : 'The run ends here')];
  const count = frame.moves.length;
  return [
    h('div', { class: 'grp accent' }, count === 1 ? 'The only way on' : `${plural(count, 'way')} on from here`),
    ...frame.moves.map((move, k) => way(run, at, move, k, k === taken && at < run.last, frame.moves)),
  ];
}

/** @param {Run} run @param {number} at @param {Move} move @param {number} k @param {boolean} took @param {Move[]} all */
function way(run, at, move, k, took, all) {
  const [from, to] = run.actors(move.who), plain = (/** @type {string} */ who) => who.replace(/\[\d+\]/g, ''), names = move.who.split(' -> ').map(plain);
  const statement = move.statements[0], text = move.statements.map(one => one.text).join('; ');
  const alike = all.some((other, at) => at !== k && other.who === move.who && other.statements[0]?.text === statement?.text);
  const changes = alike ? (move.changes ?? []).map(change => `${short(change.name)} → ${change.after}`).join(', ') : '';
  return h('button', { type: 'button', class: `alt${took ? ' took' : ''}${move.fault ? ' wrong' : ''}`, style: { '--who': thread(from) }, title: text, 'data-way': String(k), onclick: () => took ? go(at + 1) : fork(run, at, k) },
    h('span', { class: 'who' }, names[0], to !== undefined ? h('span', { style: { color: thread(to) } }, ` → ${names[1]}`) : null),
    h('span', { class: 'fork' }, took ? 'this run' : at === run.last ? 'go on' : 'fork'),
    h('code', {}, statement?.location ? h('i', {}, `${statement.location.line} `) : null, text, changes ? `  ${changes}` : '', move.fault ? `  ✕ ${move.fault}` : ''));
}

/** Another way than this run's, by keyboard: the first that it does not take. */
export function forkHere() {
  const { run, at } = store, frame = run?.frames.get(at);
  if (!run || !frame) return;
  const taken = at < run.last ? run.choices[at]?.taken : null;
  const other = frame.moves.findIndex((_, k) => k !== taken);
  if (other >= 0) fork(run, at, other);
}

export const restart = () => begin();
