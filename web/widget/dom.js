/** @typedef {Node | string | null} Child */

/**
 * Creates an element. Text children stay text: no code here parses HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | null>} attributes true writes an empty attribute, false and null none
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const svg = 'http://www.w3.org/2000/svg';

/** Strokes on a grid of 24 by 24. */
const drawings = {
  chat: 'M21 11.5a8.4 8.4 0 0 1-8.5 8.3 8.9 8.9 0 0 1-3.9-.9L3 20.5l1.7-5.2A8 8 0 0 1 4 11.5 8.4 8.4 0 0 1 12.5 3.2 8.4 8.4 0 0 1 21 11.500Z',
  down: 'm6 9.5 6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  send: 'M12 19.500v-15m0 0-6.5 6.500M12 4.500l6.5 6.5',
  clock: 'M12 7.500V12l3 2m5.5-2a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0Z',
  check: 'm5 12.5 4.5 4.500L19 7.5',
  warning: 'M12 8v4.500m0 3.500v.01M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0Z',
  clip: 'm20 11.500-8.300 8.200a5 5 0 0 1-7.100-7.100l8.600-8.500a3.400 3.400 0 0 1 4.800 4.800l-8.500 8.400a1.800 1.800 0 0 1-2.500-2.500l7.700-7.600',
  file: 'M14 3H7a1.5 1.5 0 0 0-1.5 1.500v15A1.5 1.5 0 0 0 7 21h10a1.5 1.5 0 0 0 1.5-1.500V7.500L14 3Zm0 0v4.500h4.5',
};

/** @param {keyof typeof drawings} name */
export function icon(name) {
  const drawing = document.createElementNS(svg, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('class', 'icon');
  drawing.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', drawings[name]);
  drawing.append(line);
  return drawing;
}
