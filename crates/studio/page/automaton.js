// @ts-check
/** The automata of a formula, and where they stand along the run: the states that they may be in, the edges that they take, what holds. */

import * as ask from './ask.js';
import { route } from './diagram-drawing.js';
import { button, fill, h, s, soon } from './dom.js';
import { complain, go, listen, question, store } from './store.js';

/** @typedef {{states: number, initial: number, acceptance_sets: number, edges: {from: number, to: number, label: string, sets: number[]}[]}} Automaton */
/** @typedef {{of: 'formula' | 'negation', automaton: Automaton | null, reason: string | null, accepts: boolean | null, at: number[][], taken: number[][]}} Side */
/** @typedef {{name: string, reason: string | null, formula: string, propositions: string[], letters: (boolean[] | null)[], automata: Side[] | null}} Along */
/** @typedef {{from: string, to: string, by: string, parts: any[], lines: string[], numbers: number[]}} Arrow */

const ROUND = 40, ROOM = 150, LINE = 15, MARGIN = 70, COLUMN = 16, MOST = 240, LABEL = 34;

/** What the two automata are called. */
const SIDES = { negation: 'What is forbidden', formula: 'What is required' };

export class AutomatonView extends HTMLElement {
  /** @type {{name: string, formula: string}[] | null} */ formulas = null;
  /** @type {Along | null} */ along = null;
  name = '';
  /** @type {'formula' | 'negation'} */ of = 'negation';
  about = '';
  /** @type {import('./run.js').Run | null} */ run = null;
  /** Where the states are, by automaton. @type {WeakMap<Automaton, [number, number][]>} */ places = new WeakMap();

  connectedCallback() {
    this.classList.add('pane');
    this.heading = h('h2', {});
    this.said = h('p', { class: 'caption', role: 'status' });
    this.body = h('div', { class: 'scroll graph', tabindex: '0' });
    this.strip = h('div', { class: 'scroll strip' });
    this.append(this.heading, this.said, this.body, this.strip);
    const again = soon(() => { if (store.view === 'automaton') this.ask(); }), draw = soon(() => { if (store.view === 'automaton') this.draw(); });
    listen(changed => {
      if (['view', 'run', 'opened'].some(name => changed.has(name))) again();
      if (changed.has('at')) draw();
    });
    again();
  }

  /** Asks for the formulas of the file, and for one of them along the run. */
  async ask() {
    const { run, file, text } = store, about = `${file} ${text.length} ${this.name}`;
    if (about === this.about && run === this.run) return;
    if (this.run?.recording !== run?.recording || !about.startsWith(`${this.about.split(' ')[0]} `)) this.formulas = null;
    [this.about, this.run] = [about, run];
    try {
      const guide = run ? { guide: run.recording } : {};
      if (!this.formulas) {
        const asking = await question({ command: 'simulate', ...guide, orders: ['a'] }), said = asking ? await ask.all(asking) : [];
        this.formulas = said.find(line => line.event === 'formulas')?.formulas ?? [];
        const known = this.formulas?.map(one => one.name) ?? [];
        this.name = known.find(name => name === run?.about.property) ?? (known.includes(this.name) ? this.name : known[0] ?? '');
        this.about = `${file} ${text.length} ${this.name}`;
      }
      this.along = null;
      if (this.name) {
        const loop = run && run.loop !== null ? ` ${run.loop}` : '', asking = await question({ command: 'simulate', ...guide, orders: [`a ${this.name}${loop}`] });
        this.along = /** @type {any} */ ((asking ? await ask.all(asking) : []).find(line => line.event === 'automata') ?? null);
      }
      this.draw();
    } catch (error) { complain(error); }
  }

  side() { return this.along?.automata?.find(one => one.of === this.of) ?? this.along?.automata?.[0]; }

  draw() {
    const { heading, said, body, strip, along } = this, side = this.side();
    if (!heading || !said || !body || !strip) return;
    /** @type {{name: string, formula: string}[]} */ const formulas = this.formulas ?? [];
    const choose = h('select', { 'aria-label': 'Formula', onchange: (/** @type {Event} */ event) => { this.name = /** @type {HTMLSelectElement} */ (event.target).value; this.ask(); } }, ...formulas.map(one => h('option', { value: one.name, selected: one.name === this.name }, one.name)));
    const sides = h('span', { class: 'seg' }, ...(along?.automata ?? []).map(one => button(SIDES[one.of], () => { this.of = one.of; this.draw(); }, { 'aria-pressed': String(one === side) })));
    fill(heading, 'Automaton', formulas.length ? choose : null, h('code', { class: 'formula' }, along?.formula ?? ''), h('span', { class: 'grow' }), sides);
    if (!side?.automaton || !along) {
      fill(said);
      fill(body, h('p', { class: 'hint' }, along?.reason ?? side?.reason ?? (this.formulas === null ? 'Looking …' : formulas.length ? 'There is no automaton of this formula.' : 'There is no formula of temporal logic in this file that can be followed along a run.')));
      fill(strip);
      return;
    }
    const at = Math.min(store.at, side.at.length - 1);
    said.textContent = sentence(side, at);
    const places = this.places.get(side.automaton);
    if (places) fill(body, drawn(side, side.automaton, places, at, body)); else this.lay(side.automaton);
    fill(strip, ...this.letters(along, side, at));
    strip.querySelector('.now')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }

  /** @param {Automaton} automaton */
  async lay(automaton) {
    const order = [automaton.initial, ...Array.from({ length: automaton.states }, (_, k) => k).filter(k => k !== automaton.initial)], number = new Map(order.map((state, k) => [state, k]));
    const pairs = [...new Set(automaton.edges.filter(edge => edge.from !== edge.to).map(edge => `${number.get(edge.from)} ${number.get(edge.to)}`))].map(pair => /** @type {[number, number]} */ (pair.split(' ').map(Number)));
    try {
      const { nodes } = await ask.layout(order.map(() => [ROOM, ROUND + 16]), pairs);
      this.places.set(automaton, Array.from({ length: automaton.states }, (_, state) => nodes[number.get(state) ?? 0]));
      this.draw();
    } catch (error) { complain(error); }
  }

  /** What holds in each state of the run, and where the automaton is. @param {Along} along @param {Side} side @param {number} at */
  letters(along, side, at) {
    const first = Math.max(0, Math.min(at - MOST / 2, along.letters.length - MOST)), shown = along.letters.slice(first, first + MOST), rows = along.propositions.length + 1, loop = this.run?.loop ?? null, high = rows * 20 + 24;
    const x = (/** @type {number} */ step) => (step - first) * COLUMN;
    const cells = shown.flatMap((letter, k) => (letter ?? []).map((holds, p) => s('rect', { class: `cell ${holds ? 'on' : 'off'}`, x: x(first + k) + 2, y: 22 + p * 20, width: COLUMN - 4, height: 14, rx: 3 })));
    const states = shown.map((_, k) => s('text', { class: 'at', x: x(first + k) + COLUMN / 2, y: 22 + (rows - 1) * 20 + 12 }, side.at[first + k]?.length === 1 ? String(side.at[first + k][0]) : side.at[first + k]?.length ? '∗' : '–'));
    const picture = s('svg', { class: 'letters', width: shown.length * COLUMN + 4, height: high, role: 'img', 'aria-label': `What holds in each state: ${along.propositions.join(', ')}` },
      loop !== null && loop >= first ? s('rect', { class: 'looped', x: x(loop), y: 0, width: shown.length * COLUMN - x(loop), height: high }) : null,
      s('rect', { class: 'now', x: x(at), y: 0, width: COLUMN, height: high, rx: 3 }), ...shown.map((_, k) => (first + k) % 5 ? null : s('text', { class: 'no', x: x(first + k) + COLUMN / 2, y: 13 }, String(first + k))), ...cells, ...states);
    picture.addEventListener('click', event => go(first + Math.floor((/** @type {MouseEvent} */ (event).clientX - picture.getBoundingClientRect().left) / COLUMN)));
    return [h('div', { class: 'names' }, ...along.propositions.map(text => h('span', { title: text }, text)), h('span', {}, 'state')), picture];
  }
}
customElements.define('weave-automaton', AutomatonView);

/** @param {Side} side @param {number} at */
function sentence(side, at) {
  const states = side.at[at] ?? [], where = states.length === 1 ? `in state ${states[0]}` : states.length ? `in one of the states ${states.join(', ')}` : 'nowhere: no way leads on';
  const forbids = side.of === 'negation', verdict = side.accepts === null ? 'The run is open.' : side.accepts ? forbids ? 'It accepts this run, so the run violates the formula.' : 'It accepts this run, so the run satisfies the formula.' : forbids ? 'It does not accept this run: the run satisfies the formula.' : 'It does not accept this run: the run violates the formula.';
  const sets = side.automaton?.acceptance_sets ?? 0, accepts = sets === 0 ? 'Every infinite run through it accepts.' : sets === 1 ? 'It accepts if edges with ● are taken again and again.' : `It accepts if edges with each of ${Array.from({ length: sets }, (_, k) => `●${k + 1}`).join(' ')} are taken again and again.`;
  return `${accepts} ${verdict} After step ${at} it is ${where}.`;
}

/** Small ones are drawn larger. @param {Side} side @param {Automaton} automaton @param {[number, number][]} places @param {number} at @param {HTMLElement} room */
function drawn(side, automaton, places, at, room) {
  const here = new Set(side.at[at]), taken = new Set(side.taken[at]), mark = (/** @type {number[]} */ sets) => automaton.acceptance_sets === 1 ? sets.length ? ' ●' : '' : sets.map(set => ` ●${set + 1}`).join('');
  /** @type {Map<string, Arrow>} */ const arrows = new Map();
  automaton.edges.forEach((edge, k) => {
    const key = `${edge.from} ${edge.to}`, arrow = arrows.get(key) ?? { from: String(edge.from), to: String(edge.to), by: '', parts: [], lines: [], numbers: [] };
    const label = `${edge.label === 'true' || edge.label === '1' ? 'anything' : edge.label}${mark(edge.sets)}`;
    arrow.lines.push(label.length > LABEL ? `${label.slice(0, LABEL - 1)}…` : label);
    arrow.numbers.push(k);
    arrows.set(key, arrow);
  });
  const nodes = places.map((_, state) => ({ name: String(state), size: /** @type {[number, number]} */ ([ROUND, ROUND]) })), where = new Map(places.map((place, state) => [String(state), place]));
  /** @type {any} */ const diagram = { nodes, edges: [...arrows.values()] };
  const edges = [...arrows.values()].map(arrow => {
    const now = arrow.numbers.some(k => taken.has(k)), [x, y] = places[Number(arrow.from)], all = automaton.edges.filter((_, k) => arrow.numbers.includes(k));
    const text = (/** @type {number} */ tx, /** @type {number} */ ty, /** @type {string} */ anchor) => arrow.lines.map((line, k) => s('text', { class: taken.has(arrow.numbers[k]) ? 'by now' : 'by', x: tx, y: ty + (k - (arrow.lines.length - 1) / 2) * LINE + 4, 'text-anchor': anchor }, line));
    const title = s('title', {}, all.map(edge => `${edge.label}${mark(edge.sets)}`).join('\n'));
    if (arrow.from === arrow.to) return s('g', { class: `edge plain${now ? ' taken' : ''}` }, title, s('path', { d: `M${x + ROUND / 2 - 3},${y - 9} c36,-16 36,34 2,18` }), s('path', { class: 'tip', d: `M${x + ROUND / 2 - 1},${y + 9} l9,-3 l-4,8 z` }), ...text(x + ROUND / 2 + 32, y, 'start'));
    const { a, b, turn } = route(diagram, where, arrow), angle = Math.atan2(b[1] - turn[1], b[0] - turn[0]) * 180 / Math.PI, middle = [.25 * a[0] + .5 * turn[0] + .25 * b[0], .25 * a[1] + .5 * turn[1] + .25 * b[1]];
    return s('g', { class: `edge plain${now ? ' taken' : ''}` }, title, s('path', { d: `M${a} Q${turn} ${b}` }), s('path', { class: 'tip', d: 'M0,0 l-9,-4.5 v9 z', transform: `translate(${b}) rotate(${angle})` }), ...text(middle[0], middle[1], 'middle'));
  });
  const states = places.map(([x, y], state) => s('g', { class: `state${here.has(state) ? ' here' : ''}`, transform: `translate(${x} ${y})`, 'data-state': state },
    s('circle', { r: ROUND / 2 }), s('text', { y: 4 }, String(state)), state === automaton.initial ? s('path', { class: 'begin', d: `M${-ROUND / 2 - 22},0 h18 m-5,-4 l5,4 l-5,4` }) : null));
  const wide = Math.max(...places.map(place => place[0])) + 2 * MARGIN + LABEL * 4, high = Math.max(...places.map(place => place[1])) + 2 * MARGIN;
  const larger = Math.max(1, Math.min(1.6, room.clientWidth / wide, room.clientHeight / high));
  return s('svg', { class: 'states automaton', width: wide * larger, height: high * larger, viewBox: `${-MARGIN} ${-MARGIN} ${wide} ${high}`, role: 'img', 'aria-label': `Automaton with ${places.length} states; it is in ${[...here].join(', ') || 'none'}` }, ...edges, ...states);
}
