// @ts-check
/** Colours for texts: words by language, a line at a time. Only what the eye wants; nothing depends on it. */

import { h } from './dom.js';

const LANGUAGES = {
  promela: {
    k: 'active proctype atomic d_step if fi do od else assert init goto skip break run never ltl inline for in select provided unless xr xs printf typedef timeout return notrace trace accept progress',
    t: 'mtype chan bool byte int short bit of unsigned hidden local show',
  },
  spl: {
    k: 'local in out where loop forever while do if then else await skip request release noncritical critical produce consume cooperation or end PROPERTY AXIOM LEMMA INVARIANT DIAGRAM PROOF transition enable assign Just Compassionate NoJustness SPEC system value input macro control',
    t: 'integer int bool boolean channel array rat type datatype of',
  },
  c: {
    k: 'if else for while do return switch case break continue goto sizeof struct union enum typedef static extern const volatile include define public private protected class new synchronized final void extends implements throws try catch import package this null true false assert while',
    t: 'int char long short unsigned signed float double bool boolean byte pthread_t pthread_mutex_t pthread_cond_t sem_t size_t Object Thread String',
  },
  tvm: { k: 's c p r f i n action message let foreach for', t: 'unique function acyclic abs pointsto' },
};

/** @param {string} path @returns {{k: string, t: string}} */
function languageOf(path) {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  if (['spl', 'fts'].includes(ending)) return LANGUAGES.spl;
  if (ending === 'tvm') return LANGUAGES.tvm;
  if (['c', 'cc', 'cpp', 'cxx', 'h', 'java'].includes(ending)) return LANGUAGES.c;
  return LANGUAGES.promela;
}

/** Paints the lines of one language. @param {string} path */
export function painter(path) {
  const { k, t } = languageOf(path), words = (/** @type {string} */ list) => list.split(' ').join('|');
  const hash = ['.spl', '.fts', '.tvm'].some(ending => path.endsWith(ending));
  const rule = new RegExp(`(/\\*.*?(?:\\*/|$)|//.*$${hash ? '|#.*$' : ''})|("(?:[^"\\\\]|\\\\.)*"?)|\\b(${words(k)}|end\\w*:|progress\\w*:|accept\\w*:)(?!\\w)|\\b(${words(t)})\\b|\\b(\\d+)\\b|(::|->|:=|==|!=|<=|>=|&&|\\|\\||[!?;])`, 'g');
  const kinds = ['c', 'str', 'k', 't', 'num', 'o'];
  /** Paints a line; true if it ends inside a comment. @param {HTMLElement} into @param {string} text @param {boolean} comment */
  return (into, text, comment) => {
    let at = 0;
    if (comment) {
      const end = text.indexOf('*/');
      at = end < 0 ? text.length : end + 2;
      into.append(h('span', { class: 'c' }, text.slice(0, at)));
      if (end < 0) return true;
    }
    for (const found of text.matchAll(rule)) {
      if (found.index < at) continue;
      into.append(text.slice(at, found.index), h('span', { class: kinds[found.slice(1).findIndex(Boolean)] }, found[0]));
      at = found.index + found[0].length;
      if (found[1]?.startsWith('/*') && !(found[1].length > 3 && found[1].endsWith('*/'))) return true;
    }
    into.append(text.slice(at));
    return false;
  };
}
