// @ts-check
/** Below: every variable over time as on a logic analyser, and where one could go another way. Only the columns and rows that can be seen are drawn. */

import { Sight, button, fill, h, icon, plural, s, soon } from './dom.js';
import { short, thread } from './run.js';
import { saver } from './save.js';
import { forkHere } from './state.js';
import { go, listen, store } from './store.js';

/** @typedef {import('./run.js').Run} Run */
/** What a row shows over time: a variable, or a part of a formula. @typedef {{name: string, label: string, owner: number, depth: number, formula: boolean, spans: {from: number, value: string}[]}} Row */
/** Which part of the picture is drawn. @typedef {{column: number, left: number, wide: number, above: number, tall: number}} Window */

const LEFT = 150, TOP = 38, HIGH = 17, NARROWEST = 26, WIDEST = 130, GLYPH = 6.7, RIGHT = 8;
/** So many columns are saved. */
const MOST = 300;

export class Wave extends HTMLElement {
  /** The parts of a formula, then the variables that change. @type {Row[]} */ rows = [];
  /** Which part of the picture is drawn. */ about = '';
  /** The number on the axis that the one of the step covers. @type {Element | null} */ under = null;

  connectedCallback() {
    const step = (/** @type {string} */ path, /** @type {string} */ name, /** @type {() => number} */ to) => button(name, () => go(to()), { class: 'icon' }, icon(path));
    this.at = h('span', { class: 'at', 'aria-live': 'polite' });
    this.what = h('span', { class: 'what' });
    this.counts = h('span', { class: 'faint counts' });
    this.picture = s('svg', { class: 'wave', role: 'img', 'aria-label': 'Variables over the steps of the run' });
    this.sheet = h('div', { class: 'sheet' }, this.picture);
    this.scroller = h('div', { class: 'scroll waves', tabindex: '0' }, this.sheet);
    this.append(h('div', { class: 'bar' },
      step('M4 3v10M13 3 6 8l7 5z', 'Start (Home)', () => 0), step('M11 3 4 8l7 5z', 'Step back (←)', () => store.at - 1),
      step('M5 3l7 5-7 5z', 'Step (→)', () => store.at + 1), step('M12 3v10M3 3l7 5-7 5z', 'End (End)', () => store.run?.last ?? 0),
      this.at, this.what, h('span', { class: 'grow' }), this.counts, saver(() => this.whole(), 'waves'),
      h('span', { class: 'keys' }, h('kbd', {}, '←'), h('kbd', {}, '→'), ' step ', button('Fork (F)', forkHere, { class: 'bare' }, h('kbd', {}, 'F'), ' fork'))), this.scroller);
    const draw = soon(() => this.draw());
    this.sight = new Sight(this.scroller, draw, () => this.follow());
    const pick = (/** @type {PointerEvent | MouseEvent} */ event) => { if (event.type === 'click' || /** @type {PointerEvent} */ (event).buttons) this.pick(event); };
    this.scroller.addEventListener('click', pick);
    this.scroller.addEventListener('pointermove', pick);
    listen(changed => {
      if (changed.has('run')) this.collect();
      if (changed.has('run') || changed.has('known')) this.about = '';
      if (['at', 'run', 'view'].some(name => changed.has(name))) this.follow();
      if (['run', 'at', 'known', 'view'].some(name => changed.has(name))) draw();
    });
    this.collect();
    draw();
  }

  /** The variables that change, by owner; and what each is over time. */
  collect() {
    const { run } = store;
    /** @type {Map<string, {from: number, value: string}[]>} */ const spans = new Map();
    run?.steps.forEach((step, k) => {
      for (const change of step.changes) {
        const known = spans.get(change.name);
        if (known) known.push({ from: k + 1, value: change.after });
        else spans.set(change.name, [{ from: 0, value: change.before }, { from: k + 1, value: change.after }]);
      }
    });
    const owner = (/** @type {string} */ name) => run?.owner(name) ?? -1;
    const rank = (/** @type {string} */ name) => owner(name) < 0 ? -1 : run?.lanes.indexOf(owner(name)) ?? 0;
    const names = [...spans.keys()].sort((a, b) => rank(a) - rank(b));
    this.rows = [...(run?.course ?? []).map(truths), ...names.map(name => ({ name, label: short(name), owner: owner(name), depth: 0, formula: false, spans: spans.get(name) ?? [] }))];
  }

  column() {
    const width = (this.sight?.wide ?? 0) - LEFT - 22, last = store.run?.last ?? 0;
    return Math.max(NARROWEST, Math.min(WIDEST, width / (last + 1)));
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const { scroller, sight } = this;
    if (!scroller || !sight || !store.run) return;
    const x = event.clientX - scroller.getBoundingClientRect().left - LEFT;
    if (x >= 0) go(Math.floor((x + sight.left) / this.column()));
  }

  /** Keeps the current column in sight. Where it leaves, the picture moves on by a good part, so that most steps draw nothing anew. */
  follow() {
    const { sight } = this, { run, at } = store;
    if (!sight?.wide || !run) return;
    const column = this.column(), x = at * column, room = sight.wide - LEFT - column, part = Math.max(2 * column, room / 3), long = LEFT + (run.last + 1) * column + RIGHT;
    if (x < sight.left) sight.across(x - part, long);
    else if (x > sight.left + room) sight.across(x - room + part, long);
  }

  /** The picture, if another part of it is seen than before; and where the step is. */
  draw() {
    const { run, at } = store, { picture, sheet, sight, at: where, what, counts, rows } = this;
    if (!picture || !sheet || !sight || !where || !what || !counts) return;
    if (!run) { this.about = ''; this.style.setProperty('--rows', '0px'); fill(picture); fill(where); fill(what); counts.textContent = ''; sheet.style.setProperty('width', '0'); sheet.style.setProperty('height', '0'); return; }
    const column = this.column(), { wide, left, top: above } = sight, tall = Math.max(sight.high, 1);
    /** @type {string} */ const about = [column, wide, left, above, tall].join(' ');
    if (about !== this.about) {
      const high = TOP + rows.length * HIGH + 8, names = rows.filter(row => !row.formula), still = Object.keys(run.beginning).length - names.filter(({ name }) => name in run.beginning).length;
      sheet.style.setProperty('width', `${LEFT + (run.last + 1) * column + RIGHT}px`);
      sheet.style.setProperty('height', `${high}px`);
      this.style.setProperty('--rows', `${high}px`);
      picture.setAttribute('width', String(wide));
      picture.setAttribute('height', String(tall));
      counts.textContent = !names.length ? '' : `${plural(names.length, 'variable')} change${names.length === 1 ? 's' : ''}${still > 0 ? `, ${still} do not` : ''}`;
      this.cursor = s('rect', { class: 'play', y: 0, width: column, height: tall });
      this.number = s('text', { class: 'axis now', y: 13 });
      fill(picture, ...drawn(run, rows, { column, left, wide, above, tall }, [this.cursor, this.number]));
      this.about = about;
      this.under = null;
    }
    this.stand(column, left);
    fill(where, h('b', {}, String(at)), h('span', { class: 'faint' }, ` of ${run.last}`));
    const step = run.steps[at - 1];
    fill(what, ...(step ? [h('b', { style: { color: thread(step.actor) } }, run.called(step.actor)), `  ${step.statements.map(one => one.text).join('  ⇄  ')}`] : ['the initial state']));
  }

  /** Moves the mark to the column of the step; its number stands instead of the one on the axis. @param {number} column @param {number} left */
  stand(column, left) {
    const { cursor, number, picture } = this, { at } = store;
    if (!cursor || !number || !picture) return;
    const x = LEFT + at * column - left;
    cursor.setAttribute('x', String(x));
    number.setAttribute('x', String(x + column / 2));
    number.textContent = at ? String(at) : 'start';
    this.under?.removeAttribute('hidden');
    this.under = picture.querySelector(`[data-at="${at}"]`);
    this.under?.setAttribute('hidden', '');
  }

  /** All rows, over as many columns as a picture has. @returns {SVGElement | null} */
  whole() {
    const { run } = store;
    if (!run) return null;
    const column = Math.max(NARROWEST, Math.min(WIDEST, 900 / (run.last + 1))), wide = LEFT + (Math.min(run.last, MOST) + 1) * column + RIGHT, tall = TOP + this.rows.length * HIGH + 8;
    return s('svg', { class: 'wave', width: wide, height: tall }, ...drawn(run, this.rows, { column, left: 0, wide, above: 0, tall }));
  }
}
customElements.define('weave-wave', Wave);

/** A part of a formula as a row: where it is true. @param {import('./run.js').Row} part @returns {Row} */
function truths({ text, depth, truth }) {
  /** @type {Row['spans']} */ const spans = [];
  const words = /** @type {Record<string, string>} */ ({ 1: 'true', 0: '', '-': '?' });
  [...truth].forEach((letter, k) => { if (!k || letter !== truth[k - 1]) spans.push({ from: k, value: words[letter] }); });
  return { name: `${text} along the run`, label: text, owner: -1, depth, formula: true, spans };
}

/** The part of the picture that a window shows, with a mark and a number between what is below and above them. @param {Run} run @param {Row[]} rows @param {Window} window @param {Element[]} marks @returns {Element[]} */
function drawn(run, rows, { column, left, wide, above, tall }, [mark, number] = []) {
  const x = (/** @type {number} */ k) => LEFT + k * column - left;
  const first = Math.max(0, Math.floor(left / column)), last = Math.min(run.last, Math.ceil((left + wide - LEFT) / column));
  /** @type {Element[]} */ const all = [];
  const bad = ['fault', 'deadlock', 'race'].includes(run.ending.kind ?? '') || run.about.title === 'Counterexample' && run.loop === null;
  if (bad) all.push(s('rect', { class: 'end', x: x(run.last), y: 0, width: column, height: tall }));
  if (run.loop !== null) all.push(s('rect', { class: 'looped', x: x(run.loop + 1), y: 0, width: (run.last - run.loop) * column, height: tall }));
  if (mark) all.push(mark);
  const from = Math.max(0, Math.floor((above - TOP) / HIGH)), to = Math.min(rows.length, Math.ceil((above + tall - TOP) / HIGH));
  for (let k = from; k < to; k++) all.push(line(run, rows[k], TOP + k * HIGH - above, x, first, last));
  all.push(s('rect', { class: 'head-back', x: 0, y: 0, width: wide, height: TOP - 2 }));
  const every = Math.ceil(34 / column / 5) * 5;
  for (let k = first; k <= last; k++) {
    const middle = x(k) + column / 2, enabled = run.frames.get(k)?.moves.length ?? run.choices[k]?.enabled ?? 0;
    if (middle < LEFT) continue;
    if (column >= 34 || k % every === 0) all.push(s('text', { class: 'axis', 'data-at': k, x: middle, y: 13 }, k ? String(k) : 'start'));
    if (enabled > 1) all.push(s('rect', { class: 'ways', x: middle - 8, y: 19, width: 16, height: 13, rx: 6.5 }), s('text', { class: 'axis ways', x: middle, y: 29 }, String(enabled)));
  }
  if (number) all.push(number);
  all.push(s('rect', { class: 'head-back', x: 0, y: 0, width: LEFT, height: TOP - 2 }), s('text', { class: 'lbl faint', x: 28, y: 29 }, 'ways on'));
  return all;
}

/** The last span that begins no later than a step. @param {Row['spans']} spans @param {number} at */
function spanAt(spans, at) {
  let low = 0, high = spans.length;
  while (low + 1 < high) { const middle = (low + high) >> 1; if (spans[middle].from <= at) low = middle; else high = middle; }
  return low;
}

/** @param {Run} run @param {Row} row @param {number} y @param {(k: number) => number} x @param {number} first @param {number} last */
function line(run, row, y, x, first, last) {
  const { owner, spans } = row, quiet = row.formula ? '' : spans[0]?.value, group = s('g', { class: row.formula ? 'formula' : '', style: { '--who': thread(owner) } });
  for (let k = spanAt(spans, first); k < spans.length && spans[k].from <= last + 1; k++) {
    const span = spans[k], until = spans[k + 1]?.from ?? run.last + 1;
    const x0 = Math.max(x(span.from) + 1, LEFT - 8), x1 = x(until) - 1, top = y + 2.5, bottom = y + HIGH - 2.5, middle = (top + bottom) / 2;
    if (x1 <= LEFT) continue;
    if (span.value === quiet) { group.append(s('line', { class: 'cell quiet', x1: Math.max(x0, LEFT), x2: x1, y1: bottom - 2, y2: bottom - 2 })); continue; }
    const edge = Math.min(4, (x1 - x0) / 2), room = Math.floor((x1 - Math.max(x0, LEFT) - 12) / GLYPH);
    group.append(s('path', { class: `cell${span.value === '?' ? ' open' : ''}`, d: `M${x0},${middle} L${x0 + edge},${top} H${x1 - edge} L${x1},${middle} L${x1 - edge},${bottom} H${x0 + edge} Z` }));
    if (room > 0) group.append(s('text', { x: Math.max(x0, LEFT) + 8, y: y + 13 }, span.value.length > room ? span.value.slice(0, room) : span.value));
  }
  const indent = Math.min(row.depth, 4) * 9, own = owner < 0 ? '' : `${run.name(owner)} `, most = Math.floor((LEFT - 36 - indent) / 6.4) - own.length;
  group.append(s('rect', { class: 'label-back', x: 0, y, width: LEFT, height: HIGH }), row.formula ? s('path', { class: 'bullet', d: `M${14 + indent},${y + 9} l3.5,-4 l3.5,4 l-3.5,4 z` }) : s('circle', { cx: 17, cy: y + 9, r: 3.5, class: 'bullet' }),
    s('text', { class: 'lbl', x: 28 + indent, y: y + 13 }, s('title', {}, row.name), own ? s('tspan', { class: 'owner' }, own) : null, row.label.length > most ? `${row.label.slice(0, Math.max(3, most - 1))}…` : row.label));
  return group;
}
