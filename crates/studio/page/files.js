// @ts-check
/** The files of the folder, with what is expected of them and what is known. */

import { button, fill, h, plural, soon } from './dom.js';
import { complain, listen, open, store } from './store.js';
import { tone } from './verdict.js';

/** So many files are shown at once; the filter finds the others. */
const MOST = 400;

export class Files extends HTMLElement {
  connectedCallback() {
    this.classList.add('pane');
    this.filter = /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter the files', class: 'filter' }));
    this.filter.addEventListener('input', () => this.draw());
    this.filter.addEventListener('keydown', event => { event.stopPropagation(); if (event.key === 'Enter') this.body?.querySelector('button')?.click(); });
    this.count = h('span', { class: 'faint' });
    this.body = h('div', { class: 'scroll files' });
    this.append(h('h2', {}, this.filter, this.count), this.body);
    const draw = soon(() => this.draw());
    listen(changed => { if (['files', 'verdicts', 'view'].some(name => changed.has(name))) draw(); });
    draw();
  }

  draw() {
    if (!this.body || !this.filter || !this.count) return;
    const wanted = this.filter.value.toLowerCase().split(/\s+/), found = store.files.filter(file => wanted.every(word => file.path.toLowerCase().includes(word)));
    this.count.textContent = `${plural(found.length, 'file')}${store.filesComplete ? '' : ', and more that are not listed'}${found.length > MOST ? `, the first ${MOST} are shown` : ''}`;
    /** @type {Map<string, import('./ask.js').Entry[]>} */ const folders = new Map();
    for (const file of found.slice(0, MOST)) {
      const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
      folders.set(folder, [...folders.get(folder) ?? [], file]);
    }
    fill(this.body, ...[...folders].flatMap(([folder, files]) => [h('h3', {}, folder || `${store.root}/`), h('div', { class: 'shelf' }, ...files.map(file => this.file(file)))]), store.files.length ? null : h('p', { class: 'hint' }, 'There is no file here that weave can check.'));
  }

  /** @param {import('./ask.js').Entry} file */
  file(file) {
    const verdict = store.verdicts[file.path];
    return button(file.path, () => open(file.path).catch(complain), { class: 'file', title: `${file.path}: ${file.kind}` },
      h('b', {}, file.path.slice(file.path.lastIndexOf('/') + 1)), h('span', { class: 'faint' }, file.kind.replace(/^an? /, '')),
      verdict ? h('span', { class: `badge ${tone(verdict)}` }, verdict) : file.expect ? h('span', { class: 'badge expected', title: 'The file says that this is expected' }, file.expect) : h('span', {}));
  }
}
customElements.define('weave-files', Files);
