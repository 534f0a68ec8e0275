// @ts-check
/** The text: an editor, coloured where a run goes, with the current line, the line that fails, and what is wrong with it. */

import { Sight, button, fill, h, soon } from './dom.js';
import { painter } from './paint.js';
import { thread } from './run.js';
import { complain, isDraft, listen, save, store, type } from './store.js';

const LINE = 19, ABOVE = 2, BELOW = 40;

/** Whether a place is in the file that is open. @param {string | undefined} file */
const here = file => file === undefined || file.endsWith(store.file) || store.file.endsWith(file.replace(/^\.\//, ''));

export class Source extends HTMLElement {
  /** The lines as they are shown. @type {HTMLElement[]} */ rows = [];
  /** Their texts. @type {string[]} */ shown = [];
  /** Whether each begins inside a comment. @type {boolean[]} */ inside = [];
  /** The file whose lines these are. */ painted = '';
  /** Who was last at each line of a run; found once for each run. @type {WeakMap<import('./run.js').Run, Map<number, number>>} */ been = new WeakMap();
  /** The lines of the step. @type {{row: HTMLElement, line: number}[]} */ now = [];

  connectedCallback() {
    this.classList.add('pane');
    this.note = h('span', { class: 'faint' });
    this.saves = button('Save', () => save().catch(complain), { class: 'small', title: 'Save (Ctrl S)' });
    this.box = h('div', { class: 'lines', 'aria-hidden': 'true' });
    this.area = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'text', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', 'aria-label': 'Source', wrap: 'off' }));
    this.area.addEventListener('input', () => type(this.area?.value ?? ''));
    this.area.addEventListener('keydown', event => this.key(event));
    this.scroller = h('div', { class: 'scroll code', tabindex: '-1' }, h('div', { class: 'sheet' }, this.box, this.area));
    this.sight = new Sight(this.scroller, () => undefined);
    this.problems = h('div', { class: 'problems' });
    this.append(h('h2', {}, 'Source', this.note, h('span', { class: 'grow' }), this.saves), this.scroller, this.problems);
    const mark = soon(() => this.mark()), stand = soon(() => this.stand());
    listen(changed => {
      if (changed.has('opened') || changed.has('text')) this.write();
      if (['opened', 'text', 'run', 'diagnostics', 'answer', 'view'].some(name => changed.has(name))) mark(); else if (changed.has('at')) stand();
      if (changed.has('diagnostics')) this.tell();
    });
    this.write();
  }

  /** The keys of the page are not those of the editor, apart from two. A new line begins as the last one does. @param {KeyboardEvent} event */
  key(event) {
    const { area } = this, ctrl = event.ctrlKey || event.metaKey;
    if (ctrl && ['s', 'Enter'].includes(event.key) || event.key === 'Tab') return;
    event.stopPropagation();
    if (event.key === 'Escape') this.scroller?.focus();
    if (event.key !== 'Enter' || !area) return;
    event.preventDefault();
    const before = area.value.slice(0, area.selectionStart), indent = /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? '';
    area.setRangeText(`\n${indent}`, area.selectionStart, area.selectionEnd, 'end');
    type(area.value);
  }

  /** Paints the lines that differ from those shown. */
  write() {
    const { area, box } = this;
    if (!area || !box) return;
    if (area.value !== store.text) area.value = store.text;
    if (this.painted !== store.file) { this.painted = store.file; this.shown = []; this.inside = []; this.rows = []; fill(box); }
    const paint = painter(store.file), lines = store.text.split('\n'), { rows, shown, inside } = this;
    let comment = false, longest = 0;
    lines.forEach((text, k) => {
      longest = Math.max(longest, text.length);
      if (rows[k] && shown[k] === text && inside[k] === comment) { comment = inside[k + 1] ?? false; return; }
      const code = h('span', { class: 'code' }), row = h('div', { class: 'ln' }, h('i', {}, String(k + 1)), code);
      inside[k] = comment;
      comment = paint(code, text, comment);
      inside[k + 1] = comment;
      if (rows[k]) rows[k].replaceWith(row); else box.append(row);
      [rows[k], shown[k]] = [row, text];
    });
    rows.splice(lines.length).forEach(row => row.remove());
    shown.length = rows.length;
    area.style.setProperty('height', `${lines.length * LINE + 40}px`);
    area.style.setProperty('width', `max(100%, calc(${longest + 4}ch + 60px))`);
  }

  /** Colours where the run goes, what is wrong, and where the run is now. */
  mark() {
    const { rows, saves, note } = this, { run, opened, diagnostics } = store;
    if (!saves || !note) return;
    saves.hidden = !isDraft();
    const showsRun = this.showsRun();
    note.textContent = isDraft() ? 'not saved' : showsRun ? 'coloured where this run goes' : opened?.kind?.replace(/^an? /, '') ?? '';
    for (const row of rows) { row.className = 'ln'; row.style.removeProperty('--who'); row.querySelectorAll('.tag, .lens').forEach(old => old.remove()); }
    this.now = [];
    this.classList.toggle('faded', showsRun && !!run?.last);
    if (showsRun && run) {
      for (const [line, actor] of this.visited(run)) { rows[line - 1]?.style.setProperty('--who', thread(actor)); rows[line - 1]?.classList.add('been'); }
      const wrong = run.about.wrong;
      if (wrong && here(wrong.file)) rows[wrong.line - 1]?.classList.add('wrong');
      this.stand();
    }
    for (const { severity, message, labels } of diagnostics) {
      const row = labels[0] && here(labels[0].file) ? rows[labels[0].line - 1] : undefined;
      row?.classList.add(severity);
      row?.append(h('span', { class: `lens ${severity}` }, message));
    }
  }

  /** Whether the text is the one that the run is of. */
  showsRun() { return store.run !== null && store.view === 'run' && store.text === (store.answer ? store.answered : store.text); }

  /** Who was last at each line. @param {import('./run.js').Run} run */
  visited(run) {
    const known = this.been.get(run) ?? new Map();
    if (!this.been.has(run)) {
      for (const step of run.steps) for (const { location, actor } of step.statements) if (location && here(location.file)) known.set(location.line, actor);
      this.been.set(run, known);
    }
    return known;
  }

  /** Marks the lines of the step, and no others: a step changes little. */
  stand() {
    const { run, at } = store;
    if (!run || !this.showsRun()) return;
    const been = this.visited(run);
    for (const { row, line } of this.now) {
      row.classList.remove('now');
      row.querySelectorAll('.tag').forEach(old => old.remove());
      if (been.has(line)) row.style.setProperty('--who', thread(been.get(line) ?? -1));
    }
    this.now = [];
    for (const { location, actor } of at ? run.steps[at - 1].statements : []) {
      const row = location && here(location.file) ? this.rows[location.line - 1] : undefined;
      if (!row || !location) continue;
      row.style.setProperty('--who', thread(actor));
      row.classList.add('now');
      row.append(h('span', { class: 'tag' }, run.called(actor)));
      this.now.push({ row, line: location.line });
      this.show(location.line - 1);
    }
  }

  /** Brings a line into sight. @param {number} line counted from 0 */
  show(line) {
    if (!this.sight) return;
    // All lines are equally high: nothing needs to be laid out to know where one is.
    const top = ABOVE + line * LINE, { sight } = this;
    if (top < sight.top + 40 || top > sight.top + sight.high - 60) sight.down(top - sight.high / 2, ABOVE + this.rows.length * LINE + BELOW);
  }

  /** Diagnostics, each with its line and a caret under the place. */
  tell() {
    if (!this.problems) return;
    fill(this.problems, ...store.diagnostics.map(d => {
      const label = d.labels[0], line = label ? store.text.split('\n')[label.line - 1] ?? '' : '';
      const width = label ? Math.max(1, Math.min(label.end - label.start, line.length - label.column + 1)) : 0;
      return h('button', { type: 'button', class: `problem ${d.severity}`, onclick: () => label && this.jump(label.line, label.column) },
        h('b', {}, `${d.severity}${d.code ? `[${d.code}]` : ''}`), ` ${d.message}`,
        label && h('span', { class: 'faint' }, `  line ${label.line}, column ${label.column}`),
        label && h('pre', {}, `${line}\n${' '.repeat(Math.max(0, label.column - 1))}`, h('em', {}, `${'^'.repeat(width)} ${label.text ?? ''}`)),
        ...d.notes.map(note => h('small', {}, `note: ${note}`)), d.help && h('small', {}, `help: ${d.help}`));
    }));
  }

  /** @param {number} line @param {number} column */
  jump(line, column) {
    const { area } = this;
    if (!area || !this.rows[line - 1]) return;
    const before = store.text.split('\n').slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    area.focus({ preventScroll: true });
    area.setSelectionRange(before + column - 1, before + column - 1);
    this.show(line - 1);
  }
}
customElements.define('weave-source', Source);
