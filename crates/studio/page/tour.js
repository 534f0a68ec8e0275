// @ts-check
/** A tour of four examples, one for each way in: a few sentences at each step, and what they speak of open beside them. */

import { button, fill, h, icon, soon } from './dom.js';
import { check, complain, go, listen, open, set, store } from './store.js';

/** @typedef {import('./store.js').View} View */
/** A stop of the tour: which file, what is asked of it, and what is shown. @typedef {{file: string, ask?: string, property?: string[], view: View, as?: import('./store.js').Shape, at?: number, title: string, text: string}} Stop */

const NEEDHAM = 'needham_schroeder.pml', RACE = 'race_counter.c', BAKERY = 'bakery2.spl', STACK = 'BrokenStack.java';

/** @type {Stop[]} */ export const STOPS = [
  { file: NEEDHAM, view: 'source', title: 'A model', text: 'This is a protocol in Promela: Alice and Bob agree on two secret numbers, and Eve listens. It was used for 17 years. The assertion in Bob says that he talks to whom he believes.' },
  { file: NEEDHAM, ask: 'check', view: 'source', title: 'Every interleaving', text: 'All interleavings were searched, and one violates the assertion. The verdict comes first, then each property, the numbers, and the command that gives the same answer in a terminal.' },
  { file: NEEDHAM, ask: 'check', view: 'run', at: 11, title: 'The run, step by step', text: 'Lanes are processes, and messages cross between them. The arrow keys step. On the right is the state after the step, what changes is marked; below is every variable over time.' },
  { file: NEEDHAM, ask: 'check', view: 'run', at: 10, title: 'What else could happen', text: 'Here more than one step is enabled. Choose another one on the right (or press F) to fork: the run up to here, and then that step. Both runs stay, as tabs.' },
  { file: NEEDHAM, ask: 'check', view: 'run', at: 1e9, title: 'Why it is wrong', text: 'At the end it is said which part of the assertion fails, with the values. Bob believes that he talks to Alice, but she talks to Eve.' },
  { file: RACE, view: 'source', title: 'A program', text: 'This is a program in C with threads. Weave compiles it and executes it under its own scheduler, again and again, each time in another order. It asks before it executes anything.' },
  { file: RACE, ask: 'run', view: 'run', at: 1e9, title: 'A data race', text: 'Two accesses to one variable, and nothing orders them. Both sides are on the right, each with its thread and line. Every step has its place in the source.' },
  { file: BAKERY, view: 'source', title: 'A program with infinitely many states', text: 'This is Lamport’s bakery for two processes, in SPL. The tickets grow without bound, so no search ends. What holds in all states is proved instead.' },
  { file: BAKERY, ask: 'prove', view: 'source', title: 'A proof', text: 'Each property is proved by a rule, and each rule has conditions that a solver decides. One property here is false: its condition has two states that show why.' },
  { file: STACK, view: 'source', title: 'Any number of threads and objects', text: 'A stack of linked nodes in Java, without a lock. How many threads there are, and how long the list is, is left open: all numbers are checked at once.' },
  { file: STACK, ask: 'check', property: ['error'], view: 'run', as: 'heap', at: 23, title: 'The objects', text: 'Four steps from here, a thread follows a reference that another one has just changed. Step back and forth: every object keeps its place, and only what the step changes is emphasised.' },
  { file: STACK, view: 'files', title: 'Your own files', text: 'That was all. Start “weave studio FOLDER” with a folder of yours. Edit a file and it is checked as you type; Ctrl S saves it. Here you can change these examples, too: they are copies.' },
];

export class Tour extends HTMLElement {
  connectedCallback() {
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', 'Tour');
    const draw = soon(() => this.draw());
    listen(changed => { if (changed.has('tour')) { draw(); this.arrive().catch(complain); } });
    draw();
    this.arrive().catch(complain);
  }

  draw() {
    const at = store.tour, stop = STOPS[at];
    this.hidden = !stop;
    if (!stop) { fill(this); return; }
    const last = at === STOPS.length - 1;
    fill(this, h('span', { class: 'where' }, `${at + 1} / ${STOPS.length}`), h('div', { class: 'told' }, h('b', {}, stop.title), h('p', {}, stop.text)),
      h('span', { class: 'asks' }, button('Back', () => set({ tour: at - 1 }), { disabled: at === 0 }), button(last ? 'End of the tour' : 'Next', () => set({ tour: last ? -1 : at + 1 }), { class: 'main' }), button('Leave the tour', () => set({ tour: -1 }), { class: 'icon' }, icon('M4 4l8 8M12 4l-8 8'))));
  }

  /** Opens what the stop speaks of, and asks what it asks unless that is known. */
  async arrive() {
    const stop = STOPS[store.tour], here = store.tour;
    if (!stop) return;
    if (stop.view === 'files') { set({ view: 'files' }); return; }
    if (store.file !== stop.file) await open(stop.file, stop.ask ? 'source' : stop.view);
    const known = store.answer?.command === stop.ask && (stop.view !== 'run' || store.run);
    if (stop.ask && !known) await check(stop.ask, { ...(stop.property ? { property: stop.property } : {}), ...(stop.ask === 'check' && !stop.property ? { options: ['shortest'] } : {}) });
    if (store.tour !== here) return;
    const view = stop.view === 'run' && !store.run ? 'source' : stop.view;
    set({ view, as: stop.as ?? 'chart' });
    if (stop.at !== undefined) go(stop.at);
  }
}
customElements.define('weave-tour', Tour);
