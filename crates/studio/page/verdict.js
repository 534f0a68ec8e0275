// @ts-check
/** The answer: the verdict first, then the properties, numbers, what is relied on, proofs, and how to get it again. */

import { detail, rank } from './conditions.js';
import { button, fill, h, plural, soon } from './dom.js';
import { drawn } from './diagram.js';
import { check, isDraft, listen, seeCandidate, set, store } from './store.js';

/** @typedef {import('./store.js').Answer} Answer */
/** @typedef {import('./store.js').Property} Property */

/** What can be asked besides; options of the command line. */
const OPTIONS = [['shortest', 'shortest run'], ['keep-going', 'keep going'], ['certify', 'certify'], ['no-reduction', 'without reduction'], ['symbolic', 'symbolic']];

export class Verdict extends HTMLElement {
  connectedCallback() {
    this.classList.add('pane');
    this.chosen = new Set(['shortest']);
    this.asks = h('div', { class: 'asks' });
    this.body = h('div', { class: 'scroll answer' });
    this.append(h('h2', {}, 'Answer', h('span', { class: 'grow' })), this.asks, this.body);
    const draw = soon(() => this.draw());
    listen(changed => { if (['answer', 'job', 'opened', 'text', 'diagnostics', 'run'].some(name => changed.has(name))) draw(); });
    draw();
  }

  /** @param {string} command @param {Record<string, any>} [more] */
  ask(command, more = {}) {
    const options = command === 'check' ? [...this.chosen ?? []].filter(name => this.offered().includes(name)) : [];
    check(command, { options, ...more });
  }

  /** Which options this kind of file has. */
  offered() {
    const path = store.file, has = (/** @type {string[]} */ endings) => endings.some(ending => path.endsWith(ending));
    if (has(['.tvm', '.java'])) return ['keep-going', 'certify'];
    if (has(['.spl', '.fts'])) return ['shortest', 'keep-going', 'certify', 'symbolic'];
    return OPTIONS.map(([name]) => name);
  }

  draw() {
    const { opened, answer, job } = store;
    if (!this.asks || !this.body) return;
    const commands = (opened?.commands ?? []).filter(command => command !== 'simulate'), offered = this.offered();
    fill(this.asks,
      ...commands.map((command, k) => button(`${command[0].toUpperCase()}${command.slice(1)}`, () => this.ask(command), { class: k ? '' : 'main', disabled: job !== null, title: k ? '' : 'Ctrl Enter' })),
      ...(commands.includes('check') ? OPTIONS.filter(([name]) => offered.includes(name)).map(([name, words]) => button(words, () => { const chosen = this.chosen ?? new Set(); if (!chosen.delete(name)) chosen.add(name); this.draw(); }, { class: 'switch', 'aria-pressed': String(this.chosen?.has(name) ?? false) })) : []));
    if (job && !(job.quiet && answer)) { fill(this.body, progress(job)); return; }
    if (!answer) { fill(this.body, h('p', { class: 'hint' }, opened ? 'Nothing has been asked yet.' : '')); return; }
    fill(this.body, ...this.answered(answer));
  }

  /** @param {Answer} answer */
  answered(answer) {
    const stale = isDraft() || store.text !== store.answered;
    return [
      h('div', { class: `verdict ${tone(answer.verdict)}` }, h('b', {}, (answer.verdict ?? 'rejected').toUpperCase()), h('p', {}, answer.reason)),
      store.text !== store.answered ? h('p', { class: 'hint' }, 'The text has changed since.') : stale ? h('p', { class: 'hint' }, 'Of the text as it is here; it is not saved.') : null,
      store.run && answer.trace ? button('See the run', () => set({ view: 'run' }), { class: 'main wide' }) : null,
      ...(answer.properties?.length ? [h('h3', {}, 'Properties'), ...answer.properties.map(property => this.property(property, answer))] : []),
      .../** @type {import('./diagram.js').Diagram[]} */ (answer.diagrams ?? []).flatMap(diagram => [h('h3', {}, `Diagram ${diagram.name} for ${diagram.property}: ${diagram.status}`), drawn(diagram)]),
      ...proof(answer), ...listing('Relied on without proof', answer.assumes), ...listing('Data races', answer.races), ...unreached(answer), ...numbers(answer),
      answer.reproduce ? h('div', { class: 'again' }, h('h3', {}, 'reproduce'), h('code', {}, answer.reproduce), copier(answer.reproduce)) : null,
    ].filter(part => part !== null);
  }

  /** @param {Property} property @param {Answer} answer */
  property(property, answer) {
    const words = certified(property);
    return h('div', { class: 'property' },
      h('span', { class: `badge ${tone(property.verdict)}` }, property.verdict), h('b', {}, property.name),
      button('only this', () => this.ask(answer.command ?? 'check', { property: [property.name] }), { class: 'small bare' }),
      property.formula ? h('code', {}, property.formula) : null,
      property.reason ? h('p', { class: 'faint' }, property.reason) : null,
      property.rules?.length ? h('p', { class: 'faint' }, `by ${property.rules.join(', ')}`) : null,
      property.invariant ? h('code', {}, property.invariant) : null, words ? h('p', { class: 'faint' }, words) : null,
      property.candidate?.states.length ? button('See the abstract run that may violate it', () => seeCandidate(property), { class: 'small whole' }) : null);
  }
}
customElements.define('weave-verdict', Verdict);

/** What the judge checked of it, if it holds. @param {Property} property */
export function certified({ certificate }) {
  if (!certificate || certificate.kind === 'none') return '';
  /** @type {Record<string, string>} */ const words = { closed: `a closed set of ${plural(certificate.states ?? 0, 'state')}`, levels: `${certificate.levels} levels of ${plural(certificate.states ?? 0, 'state')}`, conditions: 'the conditions of the proof, made again', embedded: 'concrete runs with few objects, all of which the abstract states stand for' };
  return `certified: ${words[certificate.kind] ?? certificate.kind}`;
}

/** Red, green and amber mean verdicts, and nothing else. @param {string | null | undefined} verdict */
export const tone = verdict => verdict === 'holds' || verdict === 'proved' ? 'good' : verdict === 'violated' || verdict === 'failed' ? 'bad' : 'open';

/** A button that puts a text where it can be pasted from, and says so. @param {string} text */
export function copier(text) {
  const copy = button('Copy', () => navigator.clipboard.writeText(text).then(() => { copy.textContent = 'Copied'; }, () => { copy.textContent = 'Not allowed here'; }), { class: 'small', 'aria-live': 'polite' });
  return copy;
}

/** @param {NonNullable<typeof store.job>} job */
function progress(job) {
  const said = job.progress, number = (/** @type {number} */ n) => n.toLocaleString('en');
  const facts = !said ? [] : said.runs !== undefined ? [['runs', number(said.runs)], ['transitions', number(said.explored)]] : [['states', number(said.states)], ['transitions', number(said.transitions)], ['depth', number(said.depth)], ['states/s', number(Math.round(said.states_per_second))], ['memory', `${(said.memory_bytes / 1048576).toFixed(0)} MB`]];
  return h('div', { class: 'searching', role: 'status' }, h('div', { class: 'thread' }), h('b', {}, `weave ${job.command} …`), h('dl', {}, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])));
}

/** @param {Answer} answer */
function numbers(answer) {
  const n = (/** @type {number} */ value) => value.toLocaleString('en');
  /** @type {[string, string | null][]} */ const facts = [
    ['states', answer.states === undefined ? null : n(answer.states)], ['transitions', answer.transitions === undefined ? null : n(answer.transitions)],
    ['runs', answer.runs === undefined ? null : n(answer.runs)], ['depth', answer.depth === undefined ? null : n(answer.depth)], ['reduction', answer.reduction ?? null],
    ['engine', answer.engine ?? null], ['solver', answer.solver ?? null], ['memory', answer.memory_bytes ? `${(answer.memory_bytes / 1048576).toFixed(1)} MB` : null], ['time', answer.seconds === undefined ? null : seconds(answer.seconds)],
  ];
  const known = facts.filter(([, value]) => value !== null);
  return known.length ? [h('h3', {}, 'Numbers'), h('dl', {}, ...known.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))] : [];
}

/** @param {number} s */
export const seconds = s => s < 1 ? `${(s * 1000).toFixed(s < .01 ? 1 : 0)} ms` : `${s.toFixed(1)} s`;

/** @param {string} title @param {string[] | undefined} lines */
const listing = (title, lines) => lines?.length ? [h('h3', {}, title), h('ul', {}, ...lines.map(line => h('li', {}, line)))] : [];

/** @param {Answer} answer */
function unreached(answer) {
  /** @type {{process: string, statement: string, location: {line: number} | null}[]} */ const never = answer.unreached ?? [];
  return listing('Never executed', never.map(one => `${one.location ? `line ${one.location.line}: ` : ''}${one.process}: ${one.statement}`));
}

/** What became of the conditions; those that are not proved in full. @param {Answer} answer */
function proof(answer) {
  /** @type {import('./conditions.js').Condition[]} */ const all = answer.obligations ?? [];
  if (!all.length) return [];
  const open = all.filter(one => one.status !== 'proved').sort((a, b) => rank(a) - rank(b));
  return [h('h3', {}, `Conditions: ${all.length - open.length} of ${all.length} proved `, button('See all', () => set({ view: 'proof' }), { class: 'small' })),
    ...open.map((one, k) => h('details', { class: 'obligation', open: k === 0 }, h('summary', {}, h('span', { class: `badge ${tone(one.status)}` }, one.status), h('b', {}, one.name), h('span', { class: 'faint' }, ` ${one.rule}`)), detail(one)))];
}
