// @ts-check
/** A proof: its conditions, one of them in full, the invariants that were found; and the same question with other means. */

import { along, detail, line, rank } from './conditions.js';
import { button, fill, h, plural, soon } from './dom.js';
import { check, listen, set, store, type } from './store.js';
import { tone } from './verdict.js';

/** @typedef {import('./conditions.js').Condition} Condition */

/** What there is to choose from, as `weave prove` calls it. */
const ENGINES = ['search', 'instances', 'loops', 'rules', 'stages', 'ranks', 'k-induction', 'pdr', 'clauses', 'houdini', 'strengthen', 'bmc', 'invariants'];
const SOLVERS = ['any', 'embedded', 'z3', 'cvc5'];
/** Rules, and what stands behind them. */
const RULES = [['B-INV', ''], ['G-INV', 'φ'], ['WLPC', ''], ['Strengthen', ''], ['k-induction', ''], ['PDR', ''], ['Houdini', ''], ['G-WAIT', 'φm; …; φ0'], ['top-down', ''], ['RESP-J', 'φ by t'], ['CHAIN-J', 'φ by t; φ by u'], ['RESP-C', 'φ by t'], ['WELL', 'φ by t rank n, 1'], ['Check-Valid', ''], ['auto', '']];

export class Proof extends HTMLElement {
  /** @type {Condition | null} */ selected = null;
  /** What the question is built from. */
  asked = { property: '', engines: /** @type {Set<string>} */ (new Set()), solver: 'any', patience: '', basis: '', derive: '', auto: false, rulesOnly: false, rule: '', steps: '', using: '', lemmas: /** @type {string[]} */ ([]) };
  onlyOpen = false;
  file = '';

  connectedCallback() {
    this.classList.add('pane');
    this.heading = h('h2', {});
    this.list = h('div', { class: 'scroll conds', role: 'group', 'aria-label': 'Conditions' });
    this.list.addEventListener('keydown', event => along(event));
    this.body = h('div', { class: 'scroll answer' });
    this.side = h('aside', { class: 'scroll again-panel', 'aria-label': 'Ask again' });
    this.added = h('pre', { class: 'added' });
    this.keeps = button('Keep in the text', () => this.keep(), { class: 'small', title: 'Adds these lines to the text; save it there' });
    this.append(this.heading, h('div', { class: 'thirds' }, this.list, this.body, this.side));
    const draw = soon(() => this.draw());
    listen(changed => {
      if (store.file !== this.file) { this.file = store.file; this.selected = null; this.asked.property = ''; this.asked.lemmas = []; }
      if (changed.has('answer')) this.selected = null;
      if (store.view === 'proof' && ['answer', 'job', 'view', 'opened', 'program'].some(name => changed.has(name))) draw();
    });
    this.file = store.file;
    draw();
  }

  /** @returns {Condition[]} */
  conditions() { return store.answer?.obligations ?? []; }

  draw() {
    const { heading, list, body, side } = this, { answer, job } = store;
    if (!heading || !list || !body || !side) return;
    const all = this.conditions(), proved = all.filter(one => one.status === 'proved').length;
    if (!this.selected) this.selected = [...all].sort((a, b) => rank(a) - rank(b))[0] ?? null;
    fill(heading, 'Proof', answer ? h('span', { class: 'faint' }, all.length ? `${proved} of ${plural(all.length, 'condition')} proved` : 'no conditions') : null, h('span', { class: 'grow' }),
      all.length > proved && proved ? button('Open ones only', () => { this.onlyOpen = !this.onlyOpen; this.draw(); }, { class: 'small', 'aria-pressed': String(this.onlyOpen) }) : null);
    fill(list, ...this.grouped(all));
    fill(body, ...this.shown(answer, job));
    if (!side.contains(document.activeElement)) this.panel();
  }

  /** By property, and by diagram. @param {Condition[]} all */
  grouped(all) {
    /** @type {Map<string, Condition[]>} */ const groups = new Map();
    for (const one of all) { const of = one.property ?? 'type checks'; groups.set(of, [...groups.get(of) ?? [], one]); }
    return [...groups].flatMap(([name, own]) => {
      const property = store.answer?.properties?.find(one => one.name === name), shown = own.filter(one => !this.onlyOpen || one.status !== 'proved').sort((a, b) => rank(a) - rank(b));
      return [h('h3', {}, property ? h('span', { class: `badge ${tone(property.verdict)}` }, property.verdict) : null, ` ${name}`, h('small', { class: 'faint' }, ` ${[...new Set(own.map(one => one.rule))].join(', ')}`)),
        ...shown.map(one => line(one, () => { this.selected = one; this.draw(); }, one === this.selected))];
    });
  }

  /** @param {import('./store.js').Answer | null} answer @param {typeof store.job} job */
  shown(answer, job) {
    if (job && !job.quiet) return [h('div', { class: 'searching', role: 'status' }, h('div', { class: 'thread' }), h('b', {}, 'weave prove …'))];
    if (!answer) return [h('p', { class: 'hint' }, 'Nothing has been asked yet: ask on the right.')];
    const jump = (/** @type {import('./run.js').Place} */ place) => { set({ view: 'source' }); /** @type {any} */ (document.querySelector('weave-source'))?.jump(place.line, place.column); };
    return [h('div', { class: `verdict ${tone(answer.verdict)}` }, h('b', {}, (answer.verdict ?? 'rejected').toUpperCase()), h('p', {}, answer.reason)),
      this.selected ? detail(this.selected, jump) : null, ...this.found(answer)].filter(part => part !== null);
  }

  /** Invariants: what searches found inductive, and what was generated from the program. @param {import('./store.js').Answer} answer */
  found(answer) {
    const searched = (answer.properties ?? []).filter(one => one.invariant), generated = /** @type {{kind: string, formula: string}[]} */ (answer.generated ?? []);
    const row = (/** @type {string} */ kind, /** @type {string} */ formula) => h('li', {}, h('span', { class: 'kind' }, kind), h('code', {}, formula), formula.includes('!') ? null : button('Use as a lemma', () => { this.asked.lemmas.push(`[](${formula})`); this.panel(); }, { class: 'small bare' }, '+ lemma'));
    if (!searched.length && !generated.length) return [];
    return [h('section', { class: 'invariants' }, h('h4', {}, `Invariants found: ${searched.length + generated.length}`), h('ul', {}, ...searched.map(one => row(`for ${one.name}`, one.invariant ?? '')), ...generated.map(one => row(one.kind, one.formula))))];
  }

  // ---- the question ----

  panel() {
    const { side, asked } = this, properties = store.answer?.properties ?? [], kind = store.opened?.kind ?? '';
    if (!side) return;
    const relational = /\.(spl|fts|diagram)$/.test(store.file);
    const select = (/** @type {string} */ name, /** @type {(string | string[])[]} */ options, /** @type {string} */ value, /** @type {(value: string) => void} */ take) => h('label', { class: 'field' }, h('span', {}, name), h('select', { 'aria-label': name, onchange: (/** @type {Event} */ event) => { take(/** @type {HTMLSelectElement} */ (event.target).value); this.panel(); } }, ...options.map(one => { const [key, words] = [one].flat(); return h('option', { value: key, selected: key === value }, words ?? key); })));
    const input = (/** @type {string} */ name, /** @type {string} */ value, /** @type {(value: string) => void} */ take, /** @type {string} */ hint) => h('label', { class: 'field' }, h('span', {}, name), h('input', { value, placeholder: hint, spellcheck: 'false', oninput: (/** @type {Event} */ event) => { take(/** @type {HTMLInputElement} */ (event.target).value); this.tell(); }, onkeydown: (/** @type {KeyboardEvent} */ event) => { event.stopPropagation(); if (event.key === 'Enter') this.ask(); } }));
    const flip = (/** @type {string} */ words, /** @type {boolean} */ on, /** @type {() => void} */ act, /** @type {string} */ title = '') => button(words, () => { act(); this.panel(); }, { class: 'switch', 'aria-pressed': String(on), title });
    const programs = store.files.map(file => file.path).filter(path => /\.(spl|fts)$/.test(path));
    fill(side, h('h3', {}, 'Ask again'),
      store.file.endsWith('.diagram') ? select('program', programs, store.program, program => set({ program })) : null,
      select('property', [['', 'all'], ...properties.map(one => one.name)], asked.property, value => { asked.property = value; }),
      relational ? h('details', { open: asked.rule !== '' || asked.lemmas.length > 0 }, h('summary', {}, 'A rule, and lemmas'),
        select('rule', [['', 'as it was'], ...RULES.map(([name]) => name)], asked.rule, value => { asked.rule = value; if (!asked.property) asked.property = this.selected?.property ?? properties[0]?.name ?? ''; }),
        asked.rule ? input('steps', asked.steps, value => { asked.steps = value; }, RULES.find(([name]) => name === asked.rule)?.[1] || 'none') : null,
        asked.rule ? input('using', asked.using, value => { asked.using = value; }, 'everything known') : null,
        ...asked.lemmas.map((lemma, k) => input(`lemma ${k + 1}`, lemma, value => { asked.lemmas[k] = value; }, '[](assertion)')),
        button('Add a lemma', () => { asked.lemmas.push(''); this.panel(); }, { class: 'small' })) : null,
      relational ? h('details', { open: asked.engines.size > 0 }, h('summary', {}, 'Engines'), h('div', { class: 'chips' }, ...ENGINES.map(name => flip(name, asked.engines.has(name), () => { if (!asked.engines.delete(name)) asked.engines.add(name); })))) : null,
      select('solver', SOLVERS, asked.solver, value => { asked.solver = value; }), input('time for a condition', asked.patience, value => { asked.patience = value; }, '10s'),
      relational ? select('diagram', [['', 'as in the text'], ['auto', 'derive one from an abstraction'], ['first', 'show a first one']], asked.derive, value => { asked.derive = value; }) : null,
      relational && !asked.derive ? input('abstraction', asked.basis, value => { asked.basis = value; }, 'auto, or b1: y1 = 0, b2: …') : null,
      relational ? h('div', { class: 'chips' }, flip('without the proofs in the text', asked.auto, () => { asked.auto = !asked.auto; }), flip('rules only', asked.rulesOnly, () => { asked.rulesOnly = !asked.rulesOnly; }, 'Do not explore all states of a program that has few')) : null,
      this.added, h('div', { class: 'fields' }, button('Prove', () => this.ask(), { class: 'main', disabled: store.job !== null || !kind }), this.keeps));
    this.tell();
  }

  /** Shows the lines that are added to the text for the question. */
  tell() {
    const lines = this.specification();
    if (!this.added || !this.keeps) return;
    this.added.textContent = lines;
    this.added.hidden = this.keeps.hidden = !lines;
  }

  /** The lines that a rule and lemmas are. */
  specification() {
    const { rule, property, steps, using, lemmas } = this.asked, own = lemmas.map(lemma => lemma.trim()).filter(Boolean);
    const proof = rule && property ? [`PROOF ${property} : ${[rule, steps.trim(), using.trim() ? `using ${using.trim()}` : ''].filter(Boolean).join(' ')}`] : [];
    return [...own.map((lemma, k) => `PROPERTY lemma_${k + 1} : ${lemma}`), ...proof].map(line => `${line}\n`).join('');
  }

  ask() {
    const { property, engines, solver, patience, basis, derive, auto, rulesOnly } = this.asked, specification = this.specification();
    const lemmas = specification ? [...specification.matchAll(/PROPERTY (lemma_\d+)/g)].map(found => found[1]) : [];
    check('prove', {
      property: property ? [...lemmas, property] : [], options: [...auto ? ['auto'] : [], ...rulesOnly ? ['rules-only'] : []], ...specification ? { specification } : {},
      proof: { engines: [...engines], ...solver === 'any' ? {} : { solver }, ...patience.trim() ? { patience: patience.trim() } : {}, ...derive ? { derive } : basis.trim() ? { basis: basis.trim() } : {} },
    });
  }

  keep() {
    const added = this.specification();
    type(`${store.text}${store.text.endsWith('\n') ? '' : '\n'}\n${added}`);
    [this.asked.rule, this.asked.lemmas] = ['', []];
    this.panel();
  }
}
customElements.define('weave-proof', Proof);
