// @ts-check
/** Conditions of proofs: what was asked, what became of it, and the countermodel of one that fails: two states with the statement between. */

import { button, fill, h } from './dom.js';

/** @typedef {Record<string, string>} Values */
/** @typedef {{before: Values, after: Values, transition: string | null, statement: string | null, location: import('./run.js').Place | null, fails: string | null}} Countermodel */
/** @typedef {{diagram: string, part: string, node: string | null, edge: [string, string] | null, transition: string | null, missing?: [string, string] | null}} Where */
/**
 * @typedef {{name: string, property: string | null, rule: string, status: 'proved' | 'failed' | 'unknown', lemmas: string[], countermodel: Countermodel | null,
 *   condition: string | null, simplified: string | null, reason: string | null, milliseconds: number, place?: Where | null}} Condition
 */

/** Red, green and amber mean verdicts, and nothing else. @param {string} status */
const tone = status => status === 'proved' ? 'good' : status === 'failed' ? 'bad' : 'open';
/** What fails comes first, what is proved last. @param {Condition} one */
export const rank = one => ['failed', 'unknown', 'proved'].indexOf(one.status);
/** @param {number} ms */
const time = ms => ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`;

/** A condition on one line. @param {Condition} one @param {() => void} select @param {boolean} selected */
export function line(one, select, selected) {
  return h('button', { type: 'button', class: `cond ${one.status}`, 'aria-current': selected ? 'true' : undefined, tabindex: selected ? 0 : -1, onclick: select },
    h('span', { class: 'mark', 'aria-hidden': 'true' }, one.status === 'proved' ? '✓' : one.status === 'failed' ? '✕' : '?'),
    h('span', { class: 'hidden-words' }, `${one.status}: `), h('b', {}, one.name), h('span', { class: 'faint' }, one.milliseconds ? time(one.milliseconds) : ''));
}

/** Everything about a condition. @param {Condition} one @param {(place: import('./run.js').Place) => void} [jump] */
export function detail(one, jump) {
  return h('article', { class: 'condition' },
    h('h3', {}, h('span', { class: `badge ${tone(one.status)}` }, one.status), ` ${one.name}`),
    h('p', { class: 'faint' }, [one.property ?? 'a type check', `rule ${one.rule}`, one.milliseconds ? time(one.milliseconds) : ''].filter(Boolean).join(' · ')),
    one.reason ? h('p', { class: 'reason' }, one.reason) : null,
    one.countermodel ? countermodel(one.countermodel, jump) : null,
    asked(one), one.lemmas.length ? h('section', {}, h('h4', {}, 'Used as known'), h('ul', {}, ...one.lemmas.map(lemma => h('li', {}, h('code', {}, lemma))))) : null);
}

/** The condition, as it is and simplified. @param {Condition} one */
function asked(one) {
  if (!one.condition) return h('p', { class: 'hint' }, 'No single formula was asked about.');
  const alike = !one.simplified || one.simplified === one.condition, shown = h('pre', {}, one.condition);
  const kind = (/** @type {boolean} */ simple, /** @type {string} */ words) => button(words, () => {
    fill(shown, simple ? one.simplified : one.condition);
    for (const other of kinds.children) other.setAttribute('aria-pressed', String(other.textContent === words));
  }, { 'aria-pressed': String(!simple) });
  const kinds = h('span', { class: 'seg' }, kind(false, 'as it is'), kind(true, 'simplified'));
  return h('section', {}, h('h4', {}, 'Condition', alike ? null : kinds), shown);
}

/** The formula in pieces, one conjunct a line, is easier to read. @param {string} fails */
const pieces = fails => fails.split(' /\\ ').join('\n/\\ ');

/** Two states and the statement between. @param {Countermodel} model @param {(place: import('./run.js').Place) => void} [jump] */
export function countermodel(model, jump) {
  const names = [...new Set([...Object.keys(model.before), ...Object.keys(model.after)])], moves = Object.keys(model.after).length > 0 || model.statement !== null;
  const after = (/** @type {string} */ name) => model.after[name] ?? model.before[name] ?? '', changed = (/** @type {string} */ name) => moves && after(name) !== (model.before[name] ?? '');
  const state = (/** @type {string} */ title, /** @type {(name: string) => string} */ value, /** @type {boolean} */ hot) => h('div', { class: 'cm-state' }, h('h5', {}, title),
    ...names.map(name => h('div', { class: `var${hot && changed(name) ? ' hot' : ''}` }, h('span', {}, name), hot && changed(name) && model.before[name] !== undefined ? h('s', {}, model.before[name]) : null, h('b', {}, value(name)))));
  const place = model.location;
  return h('section', { class: 'countermodel' }, h('h4', {}, moves ? 'A step that breaks it' : 'A state that breaks it'),
    h('div', { class: 'cm' }, state(moves ? 'before' : 'state', name => model.before[name] ?? '', false),
      moves ? h('div', { class: 'cm-step' }, h('b', {}, model.transition ?? ''), h('code', {}, model.statement ?? ''),
        place ? jump ? button(`line ${place.line}`, () => jump(place), { class: 'small' }) : h('span', { class: 'faint' }, `line ${place.line}`) : null, h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→')) : null,
      moves ? state('after', after, true) : null),
    model.fails ? h('p', { class: 'fails' }, h('b', {}, moves ? 'Afterwards this is false' : 'Here this is false'), h('pre', {}, pieces(model.fails))) : null);
}

/** A list of conditions: with arrow keys one goes along it. @param {KeyboardEvent} event */
export function along(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], list = /** @type {HTMLElement} */ (event.currentTarget);
  if (!step) return;
  const all = [...list.querySelectorAll('.cond')], next = all[all.indexOf(/** @type {Element} */ (document.activeElement)) + step];
  event.preventDefault();
  if (next instanceof HTMLElement) { next.click(); next.focus(); }
}
