// @ts-check
/** The whole run as one picture, to be saved: lanes run down, messages cross. The chart on the page draws what can be seen of it. */

import { s } from './dom.js';
import { short, thread } from './run.js';

/** @typedef {import('./run.js').Run} Run */
/** @typedef {import('./run.js').Group} Group */

const LEFT = 70, LANE = 210, TOP = 60, ROW = 38, LETTER = 7.3, MOST = 400;

/** @param {Run} run @returns {SVGElement} */
export function charted(run) {
  const groups = run.groups.slice(0, MOST), place = (/** @type {number} */ actor) => LEFT + (run.lanes.indexOf(actor) + .5) * LANE;
  const wide = LEFT + run.lanes.length * LANE + 20, high = TOP + (groups.length + 1) * ROW + (groups.length < run.groups.length ? ROW : 0);
  const who = (/** @type {number} */ actor) => ({ '--who': thread(actor) });
  const lanes = run.lanes.map(actor => s('g', { class: 'lane', style: who(actor) }, s('line', { x1: place(actor), x2: place(actor), y1: 40, y2: high - 10 }), s('text', { class: 'name', x: place(actor), y: 26 }, run.name(actor))));
  const left = groups.length < run.groups.length ? s('text', { class: 'number', x: 12, y: high - 12 }, `and ${run.groups.length - groups.length} more`) : null;
  return s('svg', { class: 'drawn', width: wide, height: high, viewBox: `0 0 ${wide} ${high}` }, ...lanes, ...groups.map((group, k) => row(run, group, TOP + k * ROW + ROW / 2, place)), left);
}

/** @param {Run} run @param {Group} group @param {number} y @param {(actor: number) => number} place */
function row(run, group, y, place) {
  const number = s('text', { class: 'number', x: 12, y: y + 4 }, group.first === group.last ? String(group.first) : `${group.first}–${group.last}`);
  const { exchange } = group, changed = group.net.map(change => `${short(change.name)} = ${change.after}`).join(', ');
  const from = exchange?.from ?? exchange?.to ?? group.actor, to = exchange?.to ?? exchange?.from ?? group.actor;
  if (exchange && from !== to) {
    const a = place(from), b = place(to), way = b > a ? 1 : -1, text = `${run.channels > 1 ? `${exchange.channel} ` : ''}${exchange.message}`;
    return s('g', { class: 'flown', style: { '--who': thread(from) } }, number, s('line', { class: exchange.kind === 'handshake' ? '' : 'buffered', x1: a, x2: b - way * 8, y1: y, y2: y }), s('circle', { cx: a, cy: y, r: 4 }), s('path', { d: `M${b},${y} l${-way * 10},-5 v10 z` }), ...label((a + b) / 2, y, text, 'middle'));
  }
  const text = group.fault ? `✕ ${group.fault}` : exchange ? `${exchange.kind === 'send' ? '→' : '←'} ${exchange.channel} ${exchange.message}` : changed || group.text;
  return s('g', { class: `alone${group.fault ? ' wrong' : ''}`, style: { '--who': thread(group.actor) } }, number, s('circle', { cx: place(group.actor), cy: y, r: 4 }), ...label(place(group.actor) + 12, y, text, 'start'));
}

/** @param {number} x @param {number} y @param {string} text @param {'start' | 'middle'} anchor */
function label(x, y, text, anchor) {
  const shown = text.length > 40 ? `${text.slice(0, 39)}…` : text, wide = shown.length * LETTER + 12;
  return [s('rect', { class: 'paper', x: anchor === 'start' ? x : x - wide / 2, y: y - 10, width: wide, height: 20, rx: 6 }), s('text', { x: anchor === 'start' ? x + 6 : x, y: y + 4, 'text-anchor': anchor }, shown)];
}
