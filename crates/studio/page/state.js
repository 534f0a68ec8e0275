// @ts-check
/** The state after the step, changes marked, and the steps that are enabled there: what else could happen. */

import { button, fill, h, plural, soon } from './dom.js';
import { changes, short, thread } from './run.js';
import { begin, fork, go, listen, lookAt, lookAway, store, wander } from './store.js';
import { called as call, deadlock, race, why } from './why.js';

/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('./run.js').Move} Move */

/** A key that is held down asks only where it comes to rest. */
const REST = 90;

export class State extends HTMLElement {
  /** What is shown. @type {{at: number, last: boolean, frame: import('./run.js').Frame | undefined} | null} */ shown = null;
  /** @type {Variables | null} */ variables = null;

  connectedCallback() {
    this.classList.add('pane');
    this.heading = h('h2', {});
    this.end = h('div');
    this.step = h('div');
    this.values = h('div');
    this.ways = h('div');
    this.append(this.heading, h('div', { class: 'scroll' }, this.end, this.step, this.values, this.ways));
    const draw = soon(() => this.draw());
    listen(changed => {
      if (!['run', 'at', 'known', 'answer', 'view'].some(name => changed.has(name))) return;
      if (['run', 'answer', 'known'].some(name => changed.has(name))) this.shown = null;
      draw();
      if (changed.has('at') || changed.has('run')) lookAway();
      clearTimeout(this.waits);
      const { run, at } = store;
      if (run && ['run', 'graph', 'automaton'].includes(store.view) && !run.frames.has(at)) this.waits = setTimeout(() => lookAt(run, at), REST);
    });
    draw();
  }

  draw() {
    const { run, at } = store, { heading, end, step, values, ways, shown } = this;
    if (!heading || !end || !step || !values || !ways) return;
    if (!run) { fill(heading, 'State'); [end, step, values, ways].forEach(part => fill(part)); return; }
    const frame = run.frames.get(at), last = at === run.last, fresh = !shown;
    fill(heading, at ? `After step ${at}` : 'At the start', h('span', { class: 'grow' }), at < run.last || run.about.abstract || frame?.moves.length === 0 ? null : button('Random steps', () => wander(run, at, 20), { class: 'small', title: 'Go on with up to 20 random steps' }));
    if (fresh || shown.last !== last) fill(end, ...(last ? [why(run), ...deadlock(run), ...race(run)] : []));
    if (fresh || shown.at !== at) fill(step, ...called(run, at), ...(run.heaps.length ? objects(run, at) : []));
    if (!run.heaps.length) {
      if (fresh || !this.variables?.about(run, at)) this.variables = new Variables(run, at, values);
      this.variables.show(at);
    } else if (fresh) fill(values);
    if (fresh || shown.frame !== frame || shown.at !== at && frame) fill(ways, ...further(run, at));
    this.shown = { at, last, frame };
  }
}
customElements.define('weave-state', State);

/** The values of all variables. A step touches those alone that it changes. */
class Variables {
  /** @param {Run} run @param {number} at @param {HTMLElement} into */
  constructor(run, at, into) {
    const state = run.state(at);
    this.run = run;
    this.beginning = run.beginning;
    this.count = Object.keys(state).length;
    /** @type {Map<number, Variable[]>} */ const owned = new Map();
    for (const name of Object.keys(state)) {
      const owner = run.owner(name), all = owned.get(owner) ?? [];
      owned.set(owner, all);
      all.push(variable(name));
    }
    this.groups = [-1, ...run.lanes].filter(actor => owned.has(actor)).map(actor => {
      const variables = owned.get(actor) ?? [], quiet = h('div', { class: 'var quiet', hidden: true });
      return { variables, quiet, hides: variables.length > FEW, silent: '', head: h('div', { class: 'grp', style: { '--who': thread(actor) } }, actor < 0 ? 'Shared' : run.name(actor), actor < 0 ? null : h('small', {}, `[${run.trace.actors[actor].pid}]`)) };
    });
    fill(into, ...this.groups.flatMap(({ head, variables, quiet }) => [head, ...variables.map(one => one.row), quiet]));
  }

  /** Whether these are the variables of a run after so many steps. @param {Run} run @param {number} at */
  about(run, at) { return this.run === run && this.beginning === run.beginning && this.count === Object.keys(run.state(at)).length; }

  /** @param {number} at */
  show(at) {
    const { run, beginning } = this, state = run.state(at), changed = new Map((at ? run.steps[at - 1].changes : []).map(change => [change.name, change]));
    for (const group of this.groups) {
      for (const one of group.variables) put(one, state[one.name] ?? '', changed.get(one.name)?.before, group.hides && state[one.name] === beginning[one.name]);
      const silent = group.variables.filter(one => one.row.hidden), words = silent.map(one => short(one.name)).join(' ');
      if (words === group.silent) continue;
      group.silent = words;
      group.quiet.hidden = !words;
      fill(group.quiet, h('span', { title: silent.map(one => `${short(one.name)} = ${one.value}`).join('\n') }, words));
    }
  }
}

/** So many variables of one process are all shown, also those that are as they were at the beginning. */
const FEW = 4;

/** A variable with what is shown of it. @typedef {{name: string, value: string, old: string | undefined, row: HTMLElement, now: HTMLElement, before: HTMLElement}} Variable */

/** @param {string} name @returns {Variable} */
function variable(name) {
  const before = h('s', { hidden: true }), now = h('b');
  return { name, value: '', old: undefined, before, now, row: h('div', { class: 'var' }, h('span', {}, short(name)), before, now) };
}

/** Shows a value, and what it was before if this step changed it. @param {Variable} one @param {string} value @param {string | undefined} old @param {boolean} quiet that it is as it was at the beginning */
function put(one, value, old, quiet) {
  const { row, now, before } = one, hides = quiet && old === undefined;
  if (value !== one.value) { one.value = now.textContent = value; row.title = `${one.name} = ${value}`; }
  if (old !== one.old) { one.old = old; before.textContent = old ?? ''; before.hidden = old === undefined; row.classList.toggle('hot', old !== undefined); }
  if (row.hidden !== hides) row.hidden = hides;
}

/** Where a program is called from. @param {Run} run @param {number} at */
function called(run, at) {
  const step = run.steps[at - 1];
  if (!step?.stack?.length) return [];
  return [h('div', { class: 'grp', style: { '--who': thread(step.actor) } }, `${run.name(step.actor)}: ${step.operation} ${step.object ?? ''}`), ...step.stack.map(frame => call(frame, ''))];
}

/** What the step does to the objects. @param {Run} run @param {number} at */
function objects(run, at) {
  if (run.about.abstract || !at) return [];
  const all = changes(run.heaps[at - 1], run.heaps[at]), step = run.steps[at - 1];
  return [h('div', { class: 'grp', style: { '--who': thread(step.actor) } }, `${run.name(step.actor)}: ${step.statements[0]?.text ?? ''}`),
    ...all.map(({ text, gone }) => h('div', { class: `var${gone ? ' gone' : ' hot'}` }, h('span', { title: text }, text), h('b', {}, gone ? 'no more' : '')))];
}

/** The steps that are enabled here. @param {Run} run @param {number} at */
function further(run, at) {
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
