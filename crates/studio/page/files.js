// @ts-check
/** The files of the folder, with what is expected of them and what is known; all that expect something are checked at once, on demand. */

import { button, fill, h, plural, soon } from './dom.js';
import { checkAll, complain, listen, open, store } from './store.js';
import { certified, copier, seconds, tone } from './verdict.js';

/** @typedef {import('./ask.js').Entry} Entry */
/** @typedef {import('./store.js').Answer} Answer */

/** So many files are shown at once; the filter finds the others. */
const MOST = 400;

export class Files extends HTMLElement {
  /** The file whose answer is shown beside the list. */ chosen = '';

  connectedCallback() {
    this.classList.add('pane');
    this.filter = /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter the files', class: 'filter' }));
    this.filter.addEventListener('input', () => this.draw());
    this.filter.addEventListener('keydown', event => { event.stopPropagation(); if (event.key === 'Enter') this.body?.querySelector('button')?.click(); });
    this.count = h('span', { class: 'faint' });
    this.sum = h('span', { class: 'sum', role: 'status' });
    this.asks = h('span', { class: 'asks' });
    this.body = h('div', { class: 'scroll files' });
    this.detail = h('aside', { class: 'scroll detail', 'aria-label': 'Answer' });
    this.append(h('h2', {}, this.filter, this.count, h('span', { class: 'grow' }), this.sum, this.asks), h('div', { class: 'split' }, this.body, this.detail));
    const draw = soon(() => this.draw());
    listen(changed => { if (['files', 'answers', 'outcomes', 'all', 'view'].some(name => changed.has(name))) draw(); });
    draw();
  }

  draw() {
    const { body, filter, count, asks, detail } = this;
    if (!body || !filter || !count || !asks || !detail || store.view !== 'files') return;
    const wanted = filter.value.toLowerCase().split(/\s+/), found = store.files.filter(file => wanted.every(word => file.path.toLowerCase().includes(word)));
    count.textContent = `${plural(found.length, 'file')}${store.filesComplete ? '' : ', and more that are not listed'}${found.length > MOST ? `, the first ${MOST} are shown` : ''}`;
    fill(asks, store.all ? button('Stop', () => store.all?.abort(), { class: 'stop' }) : found.some(file => file.expected.length) ? button(found.length < store.files.length ? 'Check these' : 'Check all', () => checkAll(found).catch(complain), { class: 'small', title: 'Check every file of the list that says what is expected of it' }) : null);
    this.summed();
    /** @type {Map<string, Entry[]>} */ const folders = new Map();
    for (const file of found.slice(0, MOST)) {
      const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
      folders.set(folder, [...folders.get(folder) ?? [], file]);
    }
    fill(body, ...[...folders].flatMap(([folder, files]) => [h('h3', {}, folder || `${store.root}/`), h('div', { class: 'shelf' }, ...files.map(file => this.file(file)))]), store.files.length ? null : h('p', { class: 'hint' }, 'There is no file here that weave can check.'));
    const answer = store.answers[this.chosen]?.answer;
    detail.hidden = !answer;
    fill(detail, ...(answer ? details(this.chosen, answer) : []));
  }

  /** How many files are as expected, so far. */
  summed() {
    const outcomes = Object.values(store.outcomes), of = (/** @type {string} */ status) => outcomes.filter(outcome => outcome.status === status).length;
    const said = [[of('as expected'), 'as expected'], [of('not as expected'), 'not as expected'], [of('open'), 'without an answer'], [of('left out'), 'left out'], [of('waits') + of('runs'), 'to go']];
    if (this.sum) this.sum.textContent = said.filter(([n]) => n).map(([n, words]) => `${n} ${words}`).join(', ');
  }

  /** @param {Entry} file */
  file(file) {
    const answer = store.answers[file.path]?.answer, outcome = store.outcomes[file.path], verdict = answer ? answer.verdict ?? 'rejected' : '';
    const expected = file.expected.map(([name, verdict]) => name ? `${name}: ${verdict}` : verdict).join(', '), awaited = brief(file.expected);
    const facts = !answer ? '' : [answer.states ? plural(answer.states, 'state') : answer.runs !== undefined ? plural(answer.runs, 'run') : '', answer.seconds !== undefined ? seconds(answer.seconds) : ''].filter(Boolean).join(', ');
    const tile = h('div', { class: `tile ${outcome?.status === 'runs' ? 'runs' : ''} ${answer && this.chosen === file.path ? 'chosen' : ''}` },
      button(file.path, () => open(file.path).catch(complain), { class: 'file', title: `${file.path}: ${file.kind}` },
        h('b', {}, file.path.slice(file.path.lastIndexOf('/') + 1)), h('span', { class: 'faint' }, facts || file.kind.replace(/^an? /, '')),
        verdict ? h('span', { class: `badge ${tone(verdict)}` }, verdict) : expected ? h('span', { class: 'badge expected', title: `Expected: ${expected}` }, awaited) : h('span', {})),
      outcome && outcome.status !== 'waits' || answer ? h('div', { class: 'below' }, h('span', { class: outcome?.status === 'not as expected' ? 'bad' : 'faint', title: outcome?.why ?? '' }, outcome?.status === 'runs' ? 'is checked …' : outcome?.status ?? (expected ? `expected: ${awaited}` : '')),
        answer ? button(`More about ${file.path}`, () => { this.chosen = this.chosen === file.path ? '' : file.path; this.draw(); }, { class: 'small bare', 'aria-expanded': String(this.chosen === file.path) }, 'more') : null) : null);
    return tile;
  }
}
customElements.define('weave-files', Files);

/** What is expected, in few words: the verdict of the whole, or how many properties have which. @param {Entry['expected']} expected */
function brief(expected) {
  const whole = expected.find(([name]) => !name), kinds = [...new Set(expected.map(([, verdict]) => verdict))];
  if (whole) return whole[1];
  if (expected.length === 1) return expected[0].join(': ');
  return kinds.map(kind => `${expected.filter(([, verdict]) => verdict === kind).length} ${kind}`).join(', ');
}

/** An answer in short, with the command that gives it again. @param {string} path @param {Answer} answer @returns {(Node | null)[]} */
function details(path, answer) {
  const listed = (/** @type {string} */ title, /** @type {string[] | undefined} */ lines) => lines?.length ? [h('h3', {}, title), h('ul', {}, ...lines.map(line => h('li', {}, line)))] : [];
  return [h('h3', {}, path), h('div', { class: `verdict ${tone(answer.verdict)}` }, h('b', {}, (answer.verdict ?? 'rejected').toUpperCase()), h('p', {}, answer.reason)),
    store.outcomes[path]?.why ? h('p', { class: 'hint' }, store.outcomes[path].why) : null,
    ...(answer.properties ?? []).map(property => h('div', { class: 'property' }, h('span', { class: `badge ${tone(property.verdict)}` }, property.verdict), h('b', {}, property.name), certified(property) ? h('p', { class: 'faint' }, certified(property)) : null)),
    ...listed('Relied on without proof', answer.assumes),
    answer.reproduce ? h('div', { class: 'again' }, h('h3', {}, 'reproduce'), h('code', {}, answer.reproduce), copier(answer.reproduce)) : null];
}
