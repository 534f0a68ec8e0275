// @ts-check
/** All states of a small model, and beside them those that a reduced search explores: what is left out, and why. */

import * as ask from './ask.js';
import { fill, h, plural, s } from './dom.js';
import { curve, tip } from './curves.js';
import { thread } from './run.js';
import { question, store } from './store.js';

/** @typedef {{process: string, statement: string, line: number | null, enabled: boolean, left_out: boolean, in_set: boolean, reason: string}} Choice */
/** @typedef {{state: Record<string, string>, status: string, explored: boolean, whole: string | null, choices: Choice[]}} Explored */
/** @typedef {{from: number, to: number, who: string, text: string, explored: boolean}} Step */
/** @typedef {{graph: {states: Explored[], edges: Step[]}, lines: string[][], sizes: [number, number][], nodes: [number, number][], routes: [number, number][][], size: [number, number]}} Whole */
/** @typedef {{states: number[], edges: number[], nodes: [number, number][], routes: [number, number][][], size: [number, number]}} Laid */

const MARGIN = 40;

/** @returns {Promise<{whole: Whole, part: Laid} | null>} */
export async function look() {
  const asking = await question({ command: 'check', options: ['reduction-graph'] });
  if (!asking) return null;
  const whole = /** @type {Whole} */ (/** @type {unknown} */ (await ask.graph(asking)));
  const states = whole.graph.states.flatMap((state, k) => state.explored ? [k] : []), number = new Map(states.map((state, k) => [state, k]));
  const edges = whole.graph.edges.flatMap((edge, k) => edge.explored ? [k] : []);
  const laid = await ask.layout(states.map(k => whole.sizes[k]), edges.map(k => /** @type {[number, number]} */ ([number.get(whole.graph.edges[k].from), number.get(whole.graph.edges[k].to)])));
  return { whole, part: { states, edges, ...laid } };
}

/** Both pictures, and what is said of the state that was clicked. @param {{whole: Whole, part: Laid}} found @returns {HTMLElement} */
export function side(found) {
  const { whole, part } = found, { states, edges } = whole.graph, because = h('div', { class: 'because', role: 'status' });
  const all = { states: states.map((_, k) => k), edges: edges.map((_, k) => k), nodes: whole.nodes, routes: whole.routes, size: whole.size };
  const holder = h('div', { class: 'pane grow-pane' });
  const say = (/** @type {number} */ state) => {
    for (const one of holder.querySelectorAll('.state')) one.classList.toggle('here', one.getAttribute('data-state') === String(state));
    fill(because, ...why(whole, state));
  };
  const half = (/** @type {string} */ title, /** @type {Laid} */ laid) => h('section', {}, h('h3', {}, title), h('div', { class: 'scroll graph', tabindex: '0' }, picture(whole, laid, say)));
  const left = edges.length - part.edges.length;
  holder.append(h('div', { class: 'twice' }, half(`All: ${plural(states.length, 'state')}, ${plural(edges.length, 'step')}`, all), half(`Reduced: ${plural(part.states.length, 'state')}, ${plural(part.edges.length, 'step')}`, part)), because);
  fill(because, h('p', {}, left ? `Dashed: ${plural(states.length - part.states.length, 'state')} and ${plural(left, 'step')} that need not be explored. Each step left out commutes with what is explored in its place. Click a state to see why.` : 'Nothing can be left out of this model.'));
  return holder;
}

/** @param {Whole} whole @param {Laid} laid @param {(state: number) => void} say */
function picture(whole, laid, say) {
  const { graph, lines, sizes } = whole, wide = laid.size[0] + 2 * MARGIN, high = laid.size[1] + 2 * MARGIN;
  const edges = laid.edges.map((at, k) => {
    const edge = graph.edges[at], actor = store.run?.actors(edge.who)[0] ?? number(graph.edges, edge.who);
    return s('g', { class: `edge${edge.explored ? '' : ' out'}`, style: { '--who': thread(actor) } }, s('title', {}, `${edge.text}${edge.explored ? '' : ' (left out)'}`), s('path', { d: curve(laid.routes[k], sizes[edge.from], sizes[edge.to]) }), tip(laid.routes[k], sizes[edge.to]));
  });
  const states = laid.states.map((at, k) => {
    const near = graph.states[at], [width, height] = sizes[at], [x, y] = laid.nodes[k], words = lines[at].length ? lines[at] : [at ? 'same' : 'start'], top = -(words.length - 1) * 7.5 + 4;
    const node = s('g', { class: `state ${near.status}${near.explored ? '' : ' out'}`, 'data-state': at, tabindex: 0, role: 'button', 'aria-label': `State: ${words.join(', ')}${near.explored ? '' : ', not explored'}`, transform: `translate(${x} ${y})` },
      s('title', {}, Object.entries(near.state).map(([name, value]) => `${name} = ${value}`).join('\n')), s('rect', { x: -width / 2, y: -height / 2, width, height, rx: 7 }), ...words.map((line, n) => s('text', { y: top + n * 15 }, line)));
    node.addEventListener('click', () => say(at));
    node.addEventListener('keydown', event => { if (/** @type {KeyboardEvent} */ (event).key === 'Enter') say(at); });
    return node;
  });
  return s('svg', { width: wide, height: high, viewBox: `${-MARGIN} ${-MARGIN} ${wide} ${high}`, class: 'states' }, ...edges, ...states);
}

/** A colour for a process that no run has named. @param {Step[]} edges @param {string} who */
const number = (edges, who) => [...new Set(edges.map(edge => edge.who))].indexOf(who);

/** Why each step out of a state is explored, or not. @param {Whole} whole @param {number} at */
function why(whole, at) {
  const state = whole.graph.states[at], steps = whole.graph.edges.filter(edge => edge.from === at), left = steps.filter(edge => !edge.explored);
  if (!state.explored) return [h('p', {}, h('b', {}, 'Not explored. '), 'The reduced search reaches what follows in another order of the same steps.')];
  const taken = state.choices.filter(choice => choice.enabled && choice.in_set);
  const row = (/** @type {Choice} */ choice, /** @type {string} */ kind, /** @type {string} */ words, /** @type {string} */ reason) => h('li', { class: kind }, h('b', {}, words), ` ${choice.process} `, h('code', {}, choice.statement), choice.line ? h('span', { class: 'faint' }, ` line ${choice.line}`) : null, reason ? `: ${reason}` : null);
  return [h('p', {}, h('b', {}, left.length ? `${left.length} of ${plural(steps.length, 'step')} left out here. ` : 'Nothing is left out here. '), state.whole ?? ''),
    h('ul', {}, ...taken.map(choice => row(choice, 'taken', 'explored', choice.reason)), ...state.choices.filter(choice => choice.left_out).map(choice => row(choice, 'left', 'left out', 'independent of what is explored, now and later; it stays enabled')),
      ...state.choices.filter(choice => !choice.enabled && choice.in_set).map(choice => row(choice, 'needed', 'blocked', choice.reason)))];
}
