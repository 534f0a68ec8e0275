// @ts-check
/** Saves a picture of the page as an SVG file of its own: what the style sheet says of each part is written to that part. */

import { button, icon, s } from './dom.js';

/** What a picture has from the style sheet. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'opacity', 'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor', 'display', 'paint-order'];
const DISK = 'M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10';

/** A mixed colour as other programs know it. @param {string} value */
const plain = value => value.replace(/color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)/g, (_, r, g, b, a) => `rgba(${[r, g, b].map(part => Math.round(Number(part) * 255)).join(', ')}, ${a ?? 1})`);

/** @param {Element} from @param {Element} to */
function dress(from, to) {
  const styles = getComputedStyle(from);
  for (const name of STYLES) { const value = styles.getPropertyValue(name); if (value) to.setAttribute(name, plain(value)); }
  to.removeAttribute('class');
  to.removeAttribute('style');
  [...from.children].forEach((child, k) => dress(child, to.children[k]));
}

/** A picture with its colours in it, on the paper of the page. @param {SVGElement} picture @returns {string} */
export function standalone(picture) {
  const loose = !picture.isConnected, holder = document.createElement('div');
  if (loose) { holder.className = 'unseen'; holder.append(picture); document.body.append(holder); }
  const copy = /** @type {SVGElement} */ (picture.cloneNode(true));
  dress(picture, copy);
  if (loose) holder.remove();
  const [x, y, wide, high] = (picture.getAttribute('viewBox') ?? `0 0 ${picture.getAttribute('width')} ${picture.getAttribute('height')}`).split(' ').map(Number);
  copy.setAttribute('viewBox', `${x} ${y} ${wide} ${high}`);
  copy.prepend(s('rect', { x, y, width: wide, height: high, fill: getComputedStyle(document.body).backgroundColor }));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}

/** A button that saves a picture; it is drawn when it is pressed. @param {() => SVGElement | null | Promise<SVGElement | null>} draw @param {string} name */
export const saver = (draw, name) => button('Save as SVG', async () => {
  const picture = await draw();
  if (!picture) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([standalone(picture)], { type: 'image/svg+xml' }));
  link.download = `${name}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
}, { class: 'icon save' }, icon(DISK));
