// @ts-check
/** What is open and what is selected: one place, and everyone listens. The address says it too, so that each state of the page can be reached again. */

import * as ask from './ask.js';
import { Run } from './run.js';

/** @typedef {import('./ask.js').Entry} Entry */
/** @typedef {{severity: string, code: string | null, message: string, labels: {file: string, line: number, column: number, start: number, end: number, text: string}[], notes: string[], help: string | null}} Diagnostic */
/** @typedef {{name: string, kind: string, verdict: string, reason: string | null, vacuous?: boolean | null, formula?: string, rules?: string[], invariant?: string | null, certificate?: {kind: string, states?: number, levels?: number, why?: string}, candidate?: {lines: string[], states: {title: string, heap: import('./run.js').Heap}[]}}} Property */
/** @typedef {Record<string, any> & {verdict: string | null, reason: string, properties?: Property[], trace?: import('./run.js').Trace}} Answer */
/** @typedef {'files' | 'source' | 'run' | 'graph' | 'proof' | 'diagram' | 'automaton'} View */
/** How a run is shown. @typedef {'chart' | 'list' | 'heap'} Shape */
/** What became of a file when all were checked. @typedef {{status: 'waits' | 'runs' | 'as expected' | 'not as expected' | 'open' | 'left out', why: string}} Outcome */

export const store = {
  root: '',
  /** @type {Entry[]} */ files: [],
  filesComplete: true,
  /** @type {View} */ view: 'files',
  file: '',
  /** @type {import('./ask.js').Opened | null} */ opened: null,
  text: '',
  /** The program of a file that has diagrams alone. */ program: '',
  /** @type {Answer | null} */ answer: null,
  /** The text that the answer is about. */ answered: '',
  /** @type {Diagnostic[]} */ diagnostics: [],
  /** What the search is doing. @type {{job: string, command: string, stop: AbortController, progress: any, quiet: boolean} | null} */ job: null,
  /** The last answer about each file, the text that it is about, and its run. @type {Record<string, {answer: Answer, text: string, run: Run | null}>} */ answers: {},
  /** What became of each file, if all are checked. @type {Record<string, Outcome>} */ outcomes: {},
  /** Checks all files, until it is stopped. @type {AbortController | null} */ all: null,
  /** @type {Run | null} */ run: null,
  /** Runs that were kept, forks behind what they fork from. @type {Run[]} */ runs: [],
  at: 0,
  /** How often more became known of a run: the states along it, what else could have happened. */ known: 0,
  /** @type {Shape} */ as: 'chart',
  /** The step of the tour, from 0; -1 if there is none. */ tour: -1,
  /** @type {string} */ trouble: '',
  /** Programs that may be executed. @type {Set<string>} */ allowed: new Set(),
};

/** @type {Set<(changed: Set<string>) => void>} */ const listeners = new Set();
/** @param {(changed: Set<string>) => void} listener */
export const listen = listener => { listeners.add(listener); };

/** @param {Partial<typeof store>} changes */
export function set(changes) {
  Object.assign(store, changes);
  const changed = new Set(Object.keys(changes));
  if (['view', 'file', 'run', 'as', 'tour', 'known'].some(name => changed.has(name))) address();
  else if (changed.has('at')) written ??= setTimeout(address, REST);
  for (const listener of listeners) listener(changed);
}

export const isDraft = () => store.opened !== null && store.text !== store.opened.text;

// ---- the address ----

/** While a key is held down, the address is written this often, in milliseconds. */
const REST = 200;
/** @type {ReturnType<typeof setTimeout> | undefined} */ let written;

/** The longest run whose choices stand in the address. */
const LONGEST = 400;

/** The run as the choices that lead to it, from the beginning; `null` if they are not known or too many. @param {Run} run */
function path(run) {
  if (run.choices.length !== run.last || run.last > LONGEST) return null;
  return run.choices.map(choice => choice.taken).join('.');
}

function address() {
  clearTimeout(written);
  written = undefined;
  const values = new URLSearchParams({ key: ask.key() });
  if (store.file) values.set('file', store.file);
  values.set('view', store.view);
  if (store.run && ['run', 'graph', 'automaton'].includes(store.view)) {
    const steps = path(store.run);
    if (steps !== null) values.set('run', steps);
    if (store.run.loop !== null) values.set('loop', String(store.run.loop));
    values.set('step', String(store.at));
    if (store.as !== 'chart') values.set('as', store.as);
  }
  if (store.tour >= 0) values.set('tour', String(store.tour));
  const next = `#${values}`;
  if (next !== location.hash) history.replaceState(null, '', next);
}

addEventListener('pagehide', () => { if (written) address(); });

/** @returns {Record<string, string>} */
export const asked = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

// ---- files ----

/** @param {unknown} error */
export function complain(error) {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  set({ trouble: error instanceof Error ? error.message : String(error) });
}

export async function list() {
  const { root, files, all } = await ask.files();
  set({ root, files, filesComplete: all });
}

/** @param {string} path @param {View} [view] */
export async function open(path, view = 'source') {
  leave();
  clearTimeout(pause);
  last = null;
  const opened = await ask.open(path);
  const known = store.answers[path]?.text === opened.text ? store.answers[path] : null, run = known?.run ?? null;
  set({ file: path, opened, text: opened.text, program: programOf(path), view, answer: known?.answer ?? null, answered: known?.text ?? '', diagnostics: [], run, runs: run ? [run] : [], at: run?.last ?? 0, as: shape(run), trouble: '' });
  if (run && !run.choices.length) look(run);
}

/** Diagrams that stand alone are about the program whose name is most like theirs. @param {string} path */
function programOf(path) {
  if (!path.endsWith('.diagram')) return '';
  const stem = (/** @type {string} */ file) => file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const alike = (/** @type {string} */ file) => { const [a, b] = [stem(file), stem(path)]; let k = 0; while (k < a.length && a[k] === b[k]) k++; return 100 * k - a.length; };
  return store.files.map(file => file.path).filter(file => /\.(spl|fts)$/.test(file)).sort((a, b) => alike(b) - alike(a))[0] ?? '';
}

export async function save() {
  const { opened, text, file } = store;
  if (!opened) return;
  const stamp = await ask.save(file, text, opened.stamp);
  set({ opened: { ...opened, text, stamp } });
}

/** A file that changes on disk is read again, unless it is being edited. */
export async function refresh() {
  const { opened, file, job } = store;
  if (!opened || job || document.hidden) return;
  const stamp = await ask.stamp(file).catch(() => opened.stamp);
  if (stamp === opened.stamp || store.opened !== opened) return;
  if (isDraft()) { set({ trouble: `${file} has changed on disk; what you typed is not saved.` }); return; }
  const again = await ask.open(file);
  set({ opened: again, text: again.text });
}

// ---- questions ----

/** A program is executed only if that is allowed. @param {string} what @returns {Promise<boolean>} */
export let mayExecute = what => Promise.resolve(false && !!what);
/** @param {(what: string) => Promise<boolean>} how */
export const askBeforeExecuting = how => { mayExecute = how; };

/** @param {Record<string, any>} more @returns {Promise<Record<string, any> | null>} */
export async function question(more) {
  const { file, opened, text } = store;
  if (!opened) return null;
  if (opened.executes && !store.allowed.has(file)) {
    if (!await mayExecute(file)) return null;
    store.allowed.add(file);
  }
  return { file, ...(isDraft() ? { draft: text } : {}), ...(store.program ? { program: store.program } : {}), ...(opened.executes ? { allow: true } : {}), ...more };
}

/** The page goes elsewhere: what is searched for is wanted no more. */
export function leave() {
  store.job?.stop.abort();
  if (store.job) set({ job: null });
}

/** What was asked last, to be asked again when the text changes. @type {{command: string, options: Record<string, any>} | null} */ let last = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */ let pause;
/** After so many milliseconds without a key the text is checked again, if that took no longer than so many seconds. */
const PAUSE = 500, QUICK = 1;

/** The text has changed in the editor. @param {string} text */
export function type(text) {
  set({ text });
  clearTimeout(pause);
  const quick = (store.answer?.seconds ?? 0) < QUICK && store.answer?.command !== 'run';
  if (store.answer && last && quick && !store.opened?.executes) pause = setTimeout(() => { if (last && store.view === 'source') check(last.command, last.options, true); }, PAUSE);
}

/** @param {string} command @param {Record<string, any>} [options] @param {boolean} [quiet] the old answer stays until there is another */
export async function check(command, options = {}, quiet = false) {
  clearTimeout(pause);
  last = { command, options };
  leave();
  const asking = await question({ command, ...options }).catch(complain);
  if (!asking) return;
  const stop = new AbortController(), text = store.text, file = store.file;
  const job = { job: '', command, stop, progress: null, quiet };
  set({ job, trouble: '', ...(quiet ? {} : { diagnostics: [] }) });
  /** @type {Diagnostic[]} */ const diagnostics = [];
  /** @type {Answer | null} */ let answer = null;
  try {
    for await (const line of ask.lines(asking, stop.signal, id => { job.job = id; })) {
      if (line.event === 'progress') set({ job: Object.assign(job, { progress: line }) });
      else if (line.event === 'diagnostic') diagnostics.push(/** @type {any} */ (line));
      else if (line.event === 'result') answer = /** @type {any} */ (line);
      else if (line.event === 'end') finish(answer ?? lost(line), line.recording, diagnostics, text, file);
    }
  } catch (error) { complain(error); }
  if (store.job === job) set({ job: null });
}

/** A command that ended without an answer. @param {any} end @returns {Answer} */
const lost = end => ({ verdict: null, reason: end.signal ? `the search was ended by signal ${end.signal}` : `the search ended with exit code ${end.exit_code} and without an answer` });

/** The run of the first violation, if there is one. @param {Answer} answer @param {string | undefined} recording @returns {Run | null} */
function counterexample(answer, recording) {
  const violation = answer.violations?.[0];
  if (!answer.trace || !recording) return null;
  return new Run(answer.trace, recording, { title: 'Counterexample', property: violation?.property, why: violation?.message ?? answer.reason, wrong: violation?.location, kind: violation?.kind, atEnd: violation?.at_end, course: violation?.course });
}

/** How a run is shown at first: by its objects, if it has some. @param {Run | null} run @returns {Shape} */
const shape = run => run?.heaps.length ? 'heap' : store.as === 'heap' ? 'chart' : store.as;

/** @param {Answer} answer @param {any} recording @param {Diagnostic[]} diagnostics @param {string} text @param {string} file */
function finish(answer, recording, diagnostics, text, file) {
  if (file !== store.file) return;
  const run = counterexample(answer, recording);
  set({
    answer, answered: text, diagnostics, job: null, answers: { ...store.answers, [file]: { answer, text, run } }, as: shape(run),
    ...(run ? { run, runs: [run], at: run.last } : { run: null, runs: [], at: 0 }),
  });
  if (run) look(run);
}

/** An abstract run that may violate a property, or not: its states, which nothing executes. @param {Property} property */
export function seeCandidate(property) {
  const states = property.candidate?.states ?? [];
  const steps = states.slice(1).map(({ title }) => ({ actor: 0, statements: [{ actor: 0, text: title, location: null }], exchanges: [], born: [], ended: [], changes: [], printed: '', fault: null, atomic: false }));
  const trace = { actors: [{ pid: 0, name: 'abstract' }], initial: {}, steps, ending: { kind: 'open' }, waiting: [], heaps: states.map(({ heap }) => heap) };
  const run = new Run(trace, '', { title: 'Abstract run', property: property.name, abstract: true });
  set({ run, runs: [run], at: 0, view: 'run', as: 'heap' });
}

// ---- all files ----

/** Asks about those of the files that say what is expected of them, one after the other. @param {Entry[]} files */
export async function checkAll(files) {
  const stop = new AbortController(), wanted = files.filter(file => file.expected.length);
  const put = (/** @type {string} */ path, /** @type {Outcome} */ outcome) => set({ outcomes: { ...store.outcomes, [path]: outcome } });
  set({ all: stop, outcomes: { ...store.outcomes, ...Object.fromEntries(wanted.map(file => [file.path, /** @type {Outcome} */ ({ status: 'waits', why: '' })])) } });
  for (const file of wanted) {
    if (stop.signal.aborted) break;
    if (file.executes && !store.allowed.has(file.path)) { put(file.path, { status: 'left out', why: 'It is a program: open it to allow that it is executed.' }); continue; }
    if (!file.asks) { put(file.path, { status: 'left out', why: 'It is asked with options that the studio does not have.' }); continue; }
    put(file.path, { status: 'runs', why: '' });
    try { put(file.path, await compared(file, stop.signal)); }
    catch (error) { if (stop.signal.aborted) break; put(file.path, { status: 'open', why: error instanceof Error ? error.message : String(error) }); }
  }
  set({ all: null, outcomes: Object.fromEntries(Object.entries(store.outcomes).filter(([, outcome]) => !['waits', 'runs'].includes(outcome.status))) });
}

/** The verdict about a file beside the expected one. @param {Entry} file @param {AbortSignal} signal @returns {Promise<Outcome>} */
async function compared(file, signal) {
  const said = await ask.all({ file: file.path, ...file.asks, ...(file.executes ? { allow: true } : {}) }, signal), answer = /** @type {Answer | undefined} */ (said.find(line => line.event === 'result'));
  if (!answer) return { status: 'open', why: 'There was no answer.' };
  const text = (await ask.open(file.path)).text;
  set({ answers: { ...store.answers, [file.path]: { answer, text, run: counterexample(answer, said.find(line => line.event === 'end')?.recording) } } });
  const verdict = (/** @type {string} */ name) => !name ? answer.verdict ?? 'rejected' : (answer.properties?.find(property => property.name === name) ?? { verdict: 'not asked' }).verdict;
  const other = file.expected.filter(([name, wanted]) => verdict(name) !== wanted);
  return other.length ? { status: 'not as expected', why: other.map(([name, wanted]) => `${name || 'everything'}: ${verdict(name)}, expected is ${wanted}`).join('; ') } : { status: 'as expected', why: '' };
}

export function stopSearch() {
  if (store.job?.job) ask.stop(store.job.job); else leave();
}

// ---- runs ----

/** Runs up to this length are looked at in every state at once. */
const SHORT = 80;

/** @param {Record<string, any>} more @param {AbortSignal} [signal] @returns {Promise<import('./ask.js').Line[]>} */
async function simulate(more, signal) {
  const asking = await question({ command: 'simulate', ...more });
  if (!asking) return [];
  const said = await ask.all(asking, signal), result = said.find(line => line.event === 'result');
  if (result && !result.trace) throw new Error(result.reason);
  return said;
}

/** @param {Run} run @param {import('./ask.js').Line[]} said */
function keepFrames(run, said) {
  for (const line of said) if (line.event === 'state' && !line.refused) run.frames.set(line.steps, /** @type {any} */ (line));
}

/** What could have been chosen at each step. @param {Run} run */
async function look(run) {
  try {
    const steps = store.opened?.executes || run.last > SHORT ? [] : [...run.steps.keys()].reverse();
    const said = await simulate({ guide: run.recording, orders: steps.map(step => `j ${step}`) });
    keepFrames(run, said);
    const whole = steps.length ? await simulate({ guide: run.recording }) : said;
    const result = whole.find(line => line.event === 'result');
    if (result) run.complete(result.beginning, result.choices);
    learn(run);
  } catch (error) { complain(error); }
}

/** More is known of a run. @param {Run} run */
function learn(run) { if (store.run === run) set({ known: store.known + 1 }); }

/** The last look at a state. @type {AbortController | null} */ let looking = null;

/** Nobody waits any more for what could have happened where the page stood. */
export function lookAway() { looking?.abort(); looking = null; }

/** The state and the steps enabled after so many steps. @param {Run} run @param {number} at */
export async function lookAt(run, at) {
  if (run.frames.has(at) || run.about.abstract) return;
  lookAway();
  const look = looking = new AbortController();
  try {
    keepFrames(run, await simulate({ guide: run.recording, orders: [`j ${at}`] }, look.signal));
    learn(run);
  } catch (error) { complain(error); }
}

/** A run as the simulator tells of it. @param {import('./ask.js').Line[]} said @param {string} title @returns {Run | null} */
function told(said, title) {
  const result = said.find(line => line.event === 'result'), end = said.find(line => line.event === 'end');
  if (!result) return null;
  const run = new Run(result.trace, end?.recording, { title });
  run.complete(result.beginning ?? {}, result.choices ?? []);
  keepFrames(run, said);
  return run;
}

/** Another step at this point of the run. @param {Run} run @param {number} at @param {number} move counted from 0 */
export async function fork(run, at, move) {
  try {
    const said = await simulate({ guide: run.recording, orders: [`j ${at}`, String(move + 1)] });
    const next = told(said, run.about.title === 'Simulation' && at === run.last ? 'Simulation' : `Fork at step ${at}`);
    if (!next) return;
    const goesOn = at === run.last;
    [next.parent, next.forkedAt] = goesOn ? [run.parent, run.forkedAt] : [run, at];
    if (goesOn && run.about.title !== 'Counterexample') next.about.title = run.about.title;
    else if (!goesOn) next.about.title = `Fork at step ${at}`;
    const runs = goesOn && run.about.title !== 'Counterexample' ? store.runs.map(known => known === run ? next : known) : [...store.runs, next];
    set({ run: next, runs, at: at + 1 });
    look(next);
  } catch (error) { complain(error); }
}

/** From the beginning, or on from where a run ends, by lines of the simulator. @param {string[]} orders @param {number} [seed] */
export async function begin(orders = [], seed = 0) {
  try {
    const run = told(await simulate({ orders, seed }), 'Simulation');
    if (run) { set({ run, runs: [...store.runs.filter(known => known.about.title !== 'Simulation'), run], at: run.last, view: 'run' }); look(run); }
  } catch (error) { complain(error); }
}

/** Random steps from here. @param {Run} run @param {number} at @param {number} steps */
export async function wander(run, at, steps) {
  try {
    const next = told(await simulate({ guide: run.recording, orders: [`j ${at}`, `r ${steps}`], seed: Math.floor(Math.random() * 1e9) }), run.about.title === 'Simulation' ? 'Simulation' : `Fork at step ${at}`);
    if (!next) return;
    [next.parent, next.forkedAt] = at === run.last ? [run.parent, run.forkedAt] : [run, at];
    const replaces = at === run.last && run.about.title !== 'Counterexample';
    set({ run: next, runs: replaces ? store.runs.map(known => known === run ? next : known) : [...store.runs, next], at: next.last });
    look(next);
  } catch (error) { complain(error); }
}

/** Goes where these steps lead from a place in the run: along the run as far as they are its own. @param {Run} run @param {number} at @param {number[]} path counted from 0 */
export async function travel(run, at, path) {
  let own = 0;
  while (own < path.length && run.choices[at + own]?.taken === path[own]) own++;
  if (own === path.length) { go(at + own); return; }
  try {
    const next = told(await simulate({ guide: run.recording, orders: [`j ${at}`, ...path.map(number => String(number + 1))] }), `Fork at step ${at + own}`);
    if (!next) return;
    [next.parent, next.forkedAt] = [run, at + own];
    set({ run: next, runs: [...store.runs, next], at: next.last });
    look(next);
  } catch (error) { complain(error); }
}

/** The run that an address names. @param {string} path @param {number} at @param {string | undefined} loop @param {View} view */
export async function follow(path, at, loop, view) {
  const orders = path ? path.split('.').map(choice => String(Number(choice) + 1)) : [];
  await begin(orders);
  if (!store.run) return;
  if (loop !== undefined) store.run.loop = Number(loop);
  set({ run: store.run, view, at: Math.max(0, Math.min(store.run.last, at)) });
}

/** @param {number} at */
export function go(at) {
  const { run } = store;
  if (run) set({ at: Math.max(0, Math.min(run.last, at)) });
}
