// @ts-check
/** Elements, made without markup in texts: what a model calls things is never read as HTML. */

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {Record<string, any>} Attributes */

const SVG = 'http://www.w3.org/2000/svg';

/** @param {Element} element @param {Attributes} attributes */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, text] of Object.entries(value)) /** @type {any} */ (element).style.setProperty(key, String(text));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * An element of the page.
 * @param {string} tag @param {Attributes} [attributes] @param {...Child} children @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  element.append(...real(children));
  return element;
}

/**
 * An element of a picture.
 * @param {string} tag @param {Attributes} [attributes] @param {...Child} children @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, attributes);
  element.append(...real(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
const real = children => /** @type {(Node | string)[]} */ (children.filter(child => child !== null && child !== undefined && child !== false));

/** Replaces what an element has. @param {Element} element @param {...Child} children */
export const fill = (element, ...children) => element.replaceChildren(...real(children));

/** A sign of 16 by 16 points. @param {string} path */
export const icon = path => s('svg', { width: 16, height: 16, viewBox: '0 0 16 16', class: 'sign', 'aria-hidden': 'true' }, s('path', { d: path }));

/** @param {string} label @param {() => unknown} act @param {Attributes} [attributes] @param {...Child} children */
export const button = (label, act, attributes = {}, ...children) =>
  h('button', { type: 'button', 'aria-label': children.length ? label : undefined, title: children.length ? label : undefined, ...attributes, onclick: act }, ...(children.length ? children : [label]));

/** At most one drawing for each frame of the screen. @param {() => void} draw */
export function soon(draw) {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; draw(); });
  };
}

/** `1 step`, `2 steps`. @param {number} n @param {string} word */
export const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

/**
 * What can be seen of a part that scrolls. It is kept, not asked for: a browser that is asked has to lay the page out first, and a step would
 * do so once for each part.
 */
export class Sight {
  left = 0;
  top = 0;
  wide = 0;
  high = 0;

  /** @param {HTMLElement} pane @param {() => void} changed @param {() => void} [resized] */
  constructor(pane, changed, resized = () => undefined) {
    this.pane = pane;
    new ResizeObserver(([{ contentRect }]) => {
      [this.wide, this.high, this.left, this.top] = [contentRect.width, contentRect.height, pane.scrollLeft, pane.scrollTop];
      resized();
      changed();
    }).observe(pane);
    pane.addEventListener('scroll', () => {
      const { scrollLeft, scrollTop } = pane;
      if (scrollLeft === this.left && scrollTop === this.top) return;
      [this.left, this.top] = [scrollLeft, scrollTop];
      changed();
    });
  }

  /** Scrolls to a place in a part that is so long. @param {number} top @param {number} long */
  down(top, long) {
    const next = Math.max(0, Math.min(Math.round(top), Math.floor(long - this.high)));
    if (this.high && next !== this.top) this.pane.scrollTop = this.top = next;
  }

  /** The same, to the side. @param {number} left @param {number} long */
  across(left, long) {
    const next = Math.max(0, Math.min(Math.round(left), Math.floor(long - this.wide)));
    if (this.wide && next !== this.left) this.pane.scrollLeft = this.left = next;
  }
}
