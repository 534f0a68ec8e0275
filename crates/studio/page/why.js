// @ts-check
/** Why a run is a counterexample: which part of a condition fails, who waits for whom, both sides of a race. All of it is data of the answer. */

import { h, s } from './dom.js';
import { thread } from './run.js';
import { saver } from './save.js';

/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('./run.js').Valued} Valued */
/** @typedef {import('./run.js').Waiting} Waiting */
/** Someone waits for someone, because of an object. @typedef {{from: number, to: number, object: string, tie: string}} Wait */

/** Why this run is wrong, beside its last state. @param {Run} run @returns {HTMLElement | null} */
export function why(run) {
  const step = run.steps.at(-1), fault = step?.fault, { why: message, property, kind, atEnd } = run.about;
  if (!message && !fault) return null;
  const named = property && property !== kind;
  return h('div', { class: 'why', role: 'note' },
    h('h3', {}, named ? `${property} is violated` : 'Why this is wrong'), h('p', {}, message ?? fault),
    ...(step?.why ? [tree(step.why)] : []), ...(atEnd ?? []).map(tree));
}

/** A condition, with the parts that decide it below, each with its value. @param {Valued} valued @returns {HTMLElement} */
function tree(valued) {
  const truth = valued.value === 'true' || valued.value === 'false';
  return h('div', { class: 'valued' },
    h('div', { class: 'has' }, h('code', {}, valued.text), h('b', { class: truth ? `truth ${valued.value}` : '' }, truth ? valued.value : `= ${valued.value}`)),
    ...(valued.parts.length ? [h('div', { class: 'parts' }, ...valued.parts.map(tree))] : []));
}

/** A call of a stack: which function, and where it is; the name of the function gives way. @param {{function: string, file: string, line: number}} frame @param {string} look */
export const called = (frame, look) => h('div', { class: `var${look}` }, h('span', {}, frame.function), h('b', { class: 'spot', title: `${frame.file}:${frame.line}` }, `${frame.file.slice(frame.file.lastIndexOf('/') + 1)}:${frame.line}`));

// ---- a race ----

/** Both accesses, each with its place and the calls that lead there. @param {Run} run @returns {(HTMLElement | null)[]} */
export function race(run) {
  if (!run.trace.race?.length) return [];
  return [h('div', { class: 'grp' }, `Nothing orders these accesses to ${run.trace.race[0].object}`),
    ...run.trace.race.map(side => h('div', { class: 'side', style: { '--who': thread(side.actor ?? -1) } },
      h('b', {}, side.who), h('span', { class: 'access' }, side.access), side.source ? h('code', {}, side.source) : null,
      ...side.stack.map((frame, k) => called(frame, k ? '' : ' innermost'))))];
}

// ---- a deadlock ----

/** Who waits for whom. @param {Run} run @returns {Wait[]} */
const waits = run => run.trace.waiting.filter(one => !one.valid_end).flatMap(({ actor, needs }) =>
  (needs ?? []).flatMap(need => need.actors.filter(to => to !== actor).map(to => ({ from: actor, to, object: need.object, tie: need.tie }))));

/** The shortest way along the waits that comes back to where it began. @param {Wait[]} all @returns {Wait[]} */
function circle(all) {
  /** @type {Wait[]} */ let best = [];
  for (const start of new Set(all.map(wait => wait.from))) {
    /** @type {Map<number, Wait[]>} */ const ways = new Map([[start, []]]);
    const work = [start];
    for (let at = work.shift(); at !== undefined; at = work.shift()) {
      for (const wait of all.filter(wait => wait.from === at)) {
        const way = [...ways.get(at) ?? [], wait];
        if (wait.to === start && (!best.length || way.length < best.length)) best = way;
        if (!ways.has(wait.to)) { ways.set(wait.to, way); work.push(wait.to); }
      }
    }
  }
  return best;
}

/** What is said before an object that is waited for. @type {Record<string, string>} */ const BEFORE = { notify: 'a notify on ', signal: 'a signal on ', post: 'a post of ', barrier: 'the others at ' };
/** @type {Record<string, string>} */ const TIES = { holds: 'held by', changed: 'last changed by', could: 'to be changed by' };

/** At a deadlock: the circle of those who wait for each other, and every one who waits. @param {Run} run @returns {(Element | null)[]} */
export function deadlock(run) {
  if (run.ending.kind !== 'deadlock') return [];
  const round = circle(waits(run)), blocked = run.trace.waiting.filter(one => !one.valid_end);
  return [
    round.length ? h('div', { class: 'grp' }, round.length === 1 ? 'It waits for itself' : `${round.length} wait for each other`, h('span', { class: 'grow' }), saver(() => drawn(run, round), 'deadlock')) : h('div', { class: 'grp' }, 'Who waits for what'),
    round.length ? h('div', { class: 'circle' }, drawn(run, round)) : null,
    ...blocked.map(one => waiting(run, one)),
  ];
}

/** @param {Run} run @param {Waiting} one */
function waiting(run, one) {
  const named = (/** @type {number[]} */ actors) => actors.flatMap((actor, k) => [k ? ', ' : ' ', h('span', { class: 'who', style: { '--who': thread(actor) } }, run.called(actor))]);
  return h('div', { class: 'waits', style: { '--who': thread(one.actor) } }, h('b', {}, run.called(one.actor)),
    ...one.statements.map(statement => h('code', {}, `${statement.location?.line ?? ''} ${statement.text}`)),
    ...(one.needs ?? []).map(need => h('span', { class: 'need' }, `waits for ${BEFORE[need.what] ?? ''}`, h('code', {}, need.object), need.what === 'end' ? ' to end' : null, need.value === null ? null : ` = ${need.value}`, ...(need.actors.length && need.what !== 'end' ? [`, ${TIES[need.tie]}`, ...named(need.actors)] : []))));
}

const WIDE = 288, LETTER = 7.2, TALL = 28;

/** @param {Run} run @param {Wait[]} round @returns {SVGElement} */
function drawn(run, round) {
  const count = round.length, short = (/** @type {string} */ text, /** @type {number} */ most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;
  const names = round.map(wait => short(run.called(wait.from), 17)), widths = names.map(name => name.length * LETTER + 26);
  const rx = count < 3 ? 0 : (WIDE - Math.max(...widths)) / 2 - 4, ry = count < 3 ? 58 : Math.min(150, 62 + count * 11);
  const places = round.map((_, k) => { const angle = -Math.PI / 2 + 2 * Math.PI * k / count; return [WIDE / 2 + rx * Math.cos(angle), ry * Math.sin(angle)]; });
  const heights = places.map(place => place[1]), top = Math.min(...heights) - TALL, high = Math.max(...heights) - Math.min(...heights) + 2 * TALL;
  const told = (/** @type {Wait} */ wait) => `${run.called(wait.from)} waits for ${wait.object}, ${TIES[wait.tie]} ${run.called(wait.to)}`;
  const arrows = round.map((wait, k) => {
    const [x, y] = places[k], [p, q] = places[(k + 1) % count], bend = count < 3 ? 62 : 0, far = Math.hypot(p - x, q - y) || 1, [nx, ny] = [(y - q) / far, (p - x) / far];
    const control = [(x + p) / 2 + nx * bend, (y + q) / 2 + ny * bend], from = leave([x, y], control, widths[k]), to = leave([p, q], control, widths[(k + 1) % count]);
    const angle = Math.atan2(to[1] - control[1], to[0] - control[0]) * 180 / Math.PI, label = short(wait.object, 15), at = [(from[0] + to[0]) / 4 + control[0] / 2 + nx * (bend && 4), (from[1] + to[1]) / 4 + control[1] / 2 + 4 + (bend ? ny * 4 : Math.abs(q - y) < 1 ? 16 : 0)];
    return s('g', { class: 'wait', style: { '--who': thread(wait.from) } }, s('title', {}, told(wait)), s('path', { d: `M${from[0]},${from[1]} Q${control[0]},${control[1]} ${to[0]},${to[1]}` }), s('path', { class: 'tip', d: 'M0,0 l-9,-4.5 v9 z', transform: `translate(${to[0]} ${to[1]}) rotate(${angle})` }),
      s('rect', { class: 'paper', x: at[0] - label.length * LETTER / 2 - 4, y: at[1] - 12, width: label.length * LETTER + 8, height: 16, rx: 4 }), s('text', { x: at[0], y: at[1] }, label));
  });
  const actors = round.map((wait, k) => {
    const [x, y] = places[k];
    return s('g', { class: 'actor', style: { '--who': thread(wait.from) } }, s('rect', { x: x - widths[k] / 2, y: y - TALL / 2, width: widths[k], height: TALL, rx: TALL / 2 }), s('circle', { cx: x - widths[k] / 2 + 13, cy: y, r: 4 }), s('text', { x: x + 6, y: y + 4 }, names[k]));
  });
  return s('svg', { class: 'round', width: WIDE, height: high, viewBox: `0 ${top} ${WIDE} ${high}`, role: 'img', 'aria-label': round.map(told).join('; ') }, ...arrows, ...actors);
}

/** Where a line from the middle of a name towards a point leaves it. @param {number[]} from @param {number[]} to @param {number} wide */
function leave(from, to, wide) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], way = Math.min((wide / 2 + 3) / Math.max(Math.abs(dx), .01), (TALL / 2 + 3) / Math.max(Math.abs(dy), .01), 1);
  return [from[0] + dx * way, from[1] + dy * way];
}
