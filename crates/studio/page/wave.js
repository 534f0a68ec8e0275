// @ts-check
/** Below: every variable over time as on a logic analyser, and where one could go another way. Only the columns and rows that can be seen are drawn. */

import { button, fill, h, icon, plural, s, soon } from './dom.js';
import { short, thread } from './run.js';
import { forkHere } from './state.js';
import { go, listen, store } from './store.js';

/** @typedef {import('./run.js').Run} Run */

const LEFT = 150, TOP = 38, HIGH = 17, NARROWEST = 26, WIDEST = 130, GLYPH = 6.7;

export class Wave extends HTMLElement {
  /** The variables that change. @type {string[]} */ names = [];

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
      this.at, this.what, h('span', { class: 'grow' }), this.counts,
      h('span', { class: 'keys' }, h('kbd', {}, '←'), h('kbd', {}, '→'), ' step ', button('Fork (F)', forkHere, { class: 'bare' }, h('kbd', {}, 'F'), ' fork'))), this.scroller);
    const draw = soon(() => this.draw());
    this.scroller.addEventListener('scroll', draw);
    addEventListener('resize', draw);
    const pick = (/** @type {PointerEvent | MouseEvent} */ event) => { if (event.type === 'click' || /** @type {PointerEvent} */ (event).buttons) this.pick(event); };
    this.scroller.addEventListener('click', pick);
    this.scroller.addEventListener('pointermove', pick);
    listen(changed => {
      if (changed.has('run')) this.collect();
      if (changed.has('at') || changed.has('run')) this.follow();
      if (['run', 'at', 'view'].some(name => changed.has(name))) draw();
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
    this.spans = spans;
    const rank = (/** @type {string} */ name) => { const owner = run?.owner(name) ?? -1; return owner < 0 ? -1 : run?.lanes.indexOf(owner) ?? 0; };
    this.names = [...spans.keys()].sort((a, b) => rank(a) - rank(b));
  }

  column() {
    const width = (this.scroller?.clientWidth ?? 0) - LEFT - 22, last = store.run?.last ?? 0;
    return Math.max(NARROWEST, Math.min(WIDEST, width / (last + 1)));
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const pane = this.scroller;
    if (!pane || !store.run) return;
    const x = event.clientX - pane.getBoundingClientRect().left - LEFT;
    if (x >= 0) go(Math.floor((x + pane.scrollLeft) / this.column()));
  }

  /** Keeps the current column in sight. */
  follow() {
    const pane = this.scroller;
    if (!pane) return;
    const column = this.column(), x = store.at * column, room = pane.clientWidth - LEFT - column;
    if (x < pane.scrollLeft) pane.scrollLeft = x - 2 * column;
    else if (x > pane.scrollLeft + room) pane.scrollLeft = x - room + 2 * column;
  }

  draw() {
    const { run, at } = store, { picture, sheet, scroller, at: where, what, counts, spans } = this, { names } = this;
    if (!picture || !sheet || !scroller || !where || !what || !counts || !spans) return;
    if (!run) { fill(picture); fill(where); fill(what); counts.textContent = ''; sheet.style.setProperty('width', '0'); sheet.style.setProperty('height', '0'); return; }
    const column = this.column(), all = LEFT + (run.last + 1) * column, high = TOP + names.length * HIGH + 8;
    const wide = scroller.clientWidth, tall = Math.max(scroller.clientHeight, 1), leftmost = scroller.scrollLeft, above = scroller.scrollTop;
    sheet.style.setProperty('width', `${Math.max(all + 8, 0)}px`);
    sheet.style.setProperty('height', `${high}px`);
    picture.setAttribute('width', String(wide));
    picture.setAttribute('height', String(Math.min(tall, Math.max(high, tall))));
    const x = (/** @type {number} */ k) => LEFT + k * column - leftmost;
    const first = Math.max(0, Math.floor(leftmost / column)), last = Math.min(run.last, Math.ceil((leftmost + wide - LEFT) / column));
    /** @type {Element[]} */ const drawn = [];
    const bad = ['fault', 'deadlock', 'race'].includes(run.ending.kind ?? '') || run.about.title === 'Counterexample' && run.loop === null;
    if (bad) drawn.push(s('rect', { class: 'end', x: x(run.last), y: 0, width: column, height: tall }));
    if (run.loop !== null) drawn.push(s('rect', { class: 'looped', x: x(run.loop + 1), y: 0, width: (run.last - run.loop) * column, height: tall }));
    drawn.push(s('rect', { class: 'play', x: x(at), y: 0, width: column, height: tall }));
    const firstRow = Math.max(0, Math.floor((above - TOP) / HIGH)), lastRow = Math.min(names.length, Math.ceil((above + tall - TOP) / HIGH));
    for (let row = firstRow; row < lastRow; row++) drawn.push(this.row(run, names[row], TOP + row * HIGH - above, x, first, last, spans));
    drawn.push(s('rect', { class: 'head-back', x: 0, y: 0, width: wide, height: TOP - 2 }));
    const every = Math.ceil(34 / column / 5) * 5;
    for (let k = first; k <= last; k++) {
      const middle = x(k) + column / 2, enabled = run.frames.get(k)?.moves.length ?? run.choices[k]?.enabled ?? 0;
      if (middle < LEFT) continue;
      if (column >= 34 || k === at || k % every === 0) drawn.push(s('text', { class: `axis${k === at ? ' now' : ''}`, x: middle, y: 13 }, k ? String(k) : 'start'));
      if (enabled > 1) drawn.push(s('rect', { class: 'ways', x: middle - 8, y: 19, width: 16, height: 13, rx: 6.5 }), s('text', { class: 'axis ways', x: middle, y: 29 }, String(enabled)));
    }
    drawn.push(s('rect', { class: 'head-back', x: 0, y: 0, width: LEFT, height: TOP - 2 }), s('text', { class: 'lbl faint', x: 28, y: 29 }, 'ways on'));
    fill(picture, ...drawn);
    fill(where, h('b', {}, String(at)), h('span', { class: 'faint' }, ` of ${run.last}`));
    const step = run.steps[at - 1];
    fill(what, ...(step ? [h('b', { style: { color: thread(step.actor) } }, run.name(step.actor)), `  ${step.statements.map(one => one.text).join('  ⇄  ')}`] : ['the initial state']));
    const still = Object.keys(run.beginning).length - names.filter(name => name in run.beginning).length;
    counts.textContent = `${plural(names.length, 'variable')} change${names.length === 1 ? 's' : ''}${still > 0 ? `, ${still} do not` : ''}`;
  }

  /** @param {Run} run @param {string} name @param {number} y @param {(k: number) => number} x @param {number} first @param {number} last @param {Map<string, {from: number, value: string}[]>} spans */
  row(run, name, y, x, first, last, spans) {
    const owner = run.owner(name), all = spans.get(name) ?? [], beginning = all[0]?.value, group = s('g', { style: { '--who': thread(owner) } });
    all.forEach((span, k) => {
      const until = all[k + 1]?.from ?? run.last + 1;
      if (until < first || span.from > last + 1) return;
      const x0 = Math.max(x(span.from) + 1, LEFT - 8), x1 = x(until) - 1, top = y + 2.5, bottom = y + HIGH - 2.5, middle = (top + bottom) / 2;
      if (x1 <= LEFT) return;
      if (span.value === beginning) { group.append(s('line', { class: 'cell quiet', x1: Math.max(x0, LEFT), x2: x1, y1: bottom - 2, y2: bottom - 2 })); return; }
      const edge = Math.min(4, (x1 - x0) / 2), room = Math.floor((x1 - Math.max(x0, LEFT) - 12) / GLYPH);
      group.append(s('path', { class: 'cell', d: `M${x0},${middle} L${x0 + edge},${top} H${x1 - edge} L${x1},${middle} L${x1 - edge},${bottom} H${x0 + edge} Z` }));
      if (room > 0) group.append(s('text', { x: Math.max(x0, LEFT) + 8, y: y + 13 }, span.value.length > room ? span.value.slice(0, room) : span.value));
    });
    const label = owner < 0 ? short(name) : `${run.name(owner)} ${short(name)}`, most = Math.floor((LEFT - 36) / 6.4);
    group.append(s('rect', { class: 'label-back', x: 0, y, width: LEFT, height: HIGH }), s('circle', { cx: 17, cy: y + 9, r: 3.5, class: 'bullet' }),
      s('text', { class: 'lbl', x: 28, y: y + 13 }, s('title', {}, name), owner < 0 ? null : s('tspan', { class: 'owner' }, `${run.name(owner)} `), label.length > most ? `${short(name).slice(0, Math.max(3, most - label.length + short(name).length - 1))}…` : short(name)));
    return group;
  }
}
customElements.define('weave-wave', Wave);
