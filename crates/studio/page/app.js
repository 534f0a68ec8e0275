// @ts-check
/** The frame of the page: what is open, which view, the verdict, keys. */

import { button, fill, h, icon, plural, s, soon } from './dom.js';
import './files.js';
import './source.js';
import './chart.js';
import './state.js';
import './wave.js';
import { seconds, tone } from './verdict.js';
import { forkHere } from './state.js';
import * as ask from './ask.js';
import { askBeforeExecuting, asked, begin, check, complain, follow, go, leave, list, listen, open, refresh, save, set, stopSearch, store } from './store.js';

/** A file on disk is looked at this often, in milliseconds. */
const GLANCE = 2000;

/** What the frame shows: a step of the run changes nothing of it. */
const FRAME = ['root', 'files', 'view', 'file', 'opened', 'answer', 'job', 'run', 'trouble'];

class App extends HTMLElement {
  connectedCallback() {
    this.crumb = h('span', { class: 'crumb' });
    this.nav = h('nav', { 'aria-label': 'Views' });
    this.cost = h('span', { class: 'faint cost' });
    this.pill = h('span', { class: 'pill', role: 'status' });
    this.stop = button('Stop', stopSearch, { class: 'stop' });
    this.trouble = h('div', { class: 'trouble', role: 'alert' });
    const moon = s('svg', { width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('circle', { cx: 8, cy: 8, r: 6, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.6 }), s('path', { d: 'M8 2a6 6 0 0 1 0 12z', fill: 'currentColor' }));
    this.append(h('div', { class: 'top' }, h('header', {}, h('a', { class: 'brand', href: '#', onclick: (/** @type {Event} */ event) => { event.preventDefault(); set({ view: 'files' }); } }, h('img', { src: 'mark.svg', alt: '', width: 22, height: 22 }), 'weave studio'),
      this.crumb, this.nav, h('span', { class: 'grow' }), this.cost, this.pill, this.stop, button('Light or dark', theme, { class: 'icon' }, moon)), this.tour = h('weave-tour', { hidden: true })), this.trouble,
    h('weave-files'), h('weave-source'), h('weave-verdict'), h('weave-chart'), h('weave-graph'), h('weave-proof'), h('weave-diagram'), h('weave-automaton'), h('weave-state'), h('weave-wave'));
    const draw = soon(() => this.draw());
    // At once: the parts are drawn with the size that they have in this view.
    listen(changed => { if (changed.has('view')) this.dataset.view = store.view; });
    listen(changed => { if (FRAME.some(name => changed.has(name))) draw(); });
    listen(changed => { if (changed.has('view')) later(store.view)?.catch(complain); });
    listen(changed => { if (changed.has('tour') && store.tour >= 0) import('./tour.js').catch(complain); });
    draw();
    addEventListener('keydown', key);
    addEventListener('hashchange', () => follows().catch(complain));
    addEventListener('pagehide', leave);
    setInterval(() => refresh().catch(() => undefined), GLANCE);
    list().then(follows).catch(complain);
  }

  draw() {
    const { crumb, nav, cost, pill, stop, trouble } = this, { view, file, answer, job, run } = store;
    if (!crumb || !nav || !cost || !pill || !stop || !trouble) return;
    this.dataset.view = view;
    this.classList.toggle('abstract', !!run?.about.abstract);
    const parts = file.split('/');
    fill(crumb, ...(file ? [h('span', {}, `${[store.root, ...parts.slice(0, -1)].join(' / ')} / `), h('b', {}, parts[parts.length - 1])] : [h('b', {}, store.root)]));
    document.title = file ? `${parts[parts.length - 1]} – weave studio` : 'weave studio';
    /** @type {[import('./store.js').View, string, string][]} */ const views = [['files', 'Overview', store.files.length ? String(store.files.length) : '']];
    if (file) views.push(['source', 'Source', ''], ['run', run ? run.about.title.replace(/^Fork.*/, 'Fork') : 'Simulate', run ? String(run.last) : '']);
    if (run && !run.about.abstract && !store.opened?.executes) views.push(['graph', 'State graph', '']);
    if (file && store.opened?.commands.includes('prove')) views.push(['proof', 'Proof', answer?.obligations?.length ? String(answer.obligations.length) : '']);
    if (/\.(spl|fts|diagram)$/.test(file)) views.push(['diagram', 'Diagrams', '']);
    if (/\.(pml|prom|promela|spin|spl|fts)$/.test(file)) views.push(['automaton', 'Automata', '']);
    fill(nav, ...views.map(([name, words, count]) => h('a', { href: '#', 'aria-current': name === view ? 'page' : undefined, onclick: (/** @type {Event} */ event) => { event.preventDefault(); show(name); } }, words, count ? h('span', { class: 'n' }, count) : null)));
    const said = job?.progress;
    cost.textContent = said ? said.runs !== undefined ? plural(said.runs, 'run') : plural(said.states, 'state') : answer && !job ? [answer.states ? plural(answer.states, 'state') : answer.runs !== undefined ? plural(answer.runs, 'run') : '', answer.seconds !== undefined ? seconds(answer.seconds) : ''].filter(Boolean).join(', ') : '';
    const busy = job && !job.quiet;
    pill.hidden = !job && !answer;
    pill.className = `pill ${busy ? 'busy' : tone(answer?.verdict)}`;
    pill.textContent = busy ? 'SEARCHING' : (answer?.verdict ?? 'rejected').toUpperCase();
    stop.hidden = !busy;
    trouble.hidden = !store.trouble;
    fill(trouble, store.trouble, button('Dismiss', () => set({ trouble: '' }), { class: 'icon' }, icon('M4 4l8 8M12 4l-8 8')));
  }
}
customElements.define('weave-app', App);

/** Views that are loaded when they are wanted. @param {import('./store.js').View} view @returns {Promise<unknown> | null} */
const later = view => view === 'graph' ? import('./graph.js') : view === 'proof' ? import('./proof.js') : view === 'diagram' ? import('./diagram-editor.js') : view === 'automaton' ? import('./automaton.js') : null;

/** @param {import('./store.js').View} view */
function show(view) {
  set({ view });
  if (view === 'run' && !store.run && !store.opened?.executes) begin();
}

function theme() {
  const root = document.documentElement, light = matchMedia('(prefers-color-scheme: light)').matches;
  const now = root.dataset.theme ?? (light ? 'light' : 'dark'), next = now === 'light' ? 'dark' : 'light';
  root.dataset.theme = next;
  localStorage.setItem('theme', next);
}

/** Goes where the address says. */
async function follows() {
  const { file, view, run, step, loop, as, tour } = asked();
  if (!ask.key()) throw new Error('This address has no key: open the one that weave studio printed.');
  if (tour !== undefined && store.tour < 0) { set({ tour: Number(tour) || 0 }); return; }
  if (!file) return;
  /** @type {import('./store.js').View} */ const wanted = /** @type {any} */ (['run', 'files', 'graph', 'proof', 'diagram', 'automaton'].includes(view) ? view : 'source');
  if (file !== store.file) await open(file, wanted);
  else if (view !== store.view) set({ view: wanted });
  if (as === 'chart' || as === 'list' || as === 'heap') set({ as });
  if (run !== undefined && !store.run) await follow(run, Number(step ?? 0), loop, wanted);
  else if (step !== undefined && store.run) go(Number(step));
}

/** @param {KeyboardEvent} event */
function key(event) {
  const { run, at, view } = store, typed = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if ((event.ctrlKey || event.metaKey) && event.key === 's') { event.preventDefault(); save().catch(complain); return; }
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') { event.preventDefault(); const command = store.opened?.commands[0]; if (command) check(command, { options: command === 'check' && !/\.(tvm|java)$/.test(store.file) ? ['shortest'] : [] }); return; }
  if (typed || event.ctrlKey || event.metaKey || event.altKey || !['run', 'graph', 'automaton'].includes(view) || !run) return;
  const group = run.groupOf.get(at) ?? -1;
  /** @type {Record<string, number | undefined>} */ const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: run.last, ArrowDown: run.groups[group + 1]?.last ?? run.last, ArrowUp: run.groups[group - 1]?.last ?? 0 };
  const place = places[event.key];
  if (place !== undefined) { event.preventDefault(); go(place); }
  else if (event.key === 'f' || event.key === 'F') forkHere();
}

/** Asks whether a program may be executed. @param {string} what @returns {Promise<boolean>} */
const mayExecute = what => new Promise(resolve => {
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { 'aria-labelledby': 'may' }));
  const answer = (/** @type {boolean} */ yes) => { dialog.close(); dialog.remove(); resolve(yes); };
  dialog.append(h('h2', { id: 'may' }, `Execute ${what}?`), h('p', {}, 'This compiles the program, if it is source code, and executes it many times. It is a real program: it can do whatever you can do.'),
    h('div', { class: 'asks' }, button('Execute it', () => answer(true), { class: 'main' }), button('Cancel', () => answer(false))));
  dialog.addEventListener('cancel', () => { dialog.remove(); resolve(false); });
  dialog.addEventListener('keydown', event => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
});
askBeforeExecuting(mayExecute);

const kept = localStorage.getItem('theme');
if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
