/** @typedef {Node | string | null | false} Child */

/**
 * Creates an element. Text children stay text.
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
  made.append(...children.filter((child) => child !== null && child !== false));
  return made;
}

/**
 * @param {string} label
 * @param {string} kind
 * @param {() => unknown} click
 * @param {...Child} children in place of the label, which then is the name
 */
export function button(label, kind, click, ...children) {
  const made = element(
    'button',
    { type: 'button', class: kind },
    ...(children.length > 0 ? children : [label]),
  );
  if (children.length > 0) {
    made.setAttribute('aria-label', label);
    made.title = label;
  }
  made.addEventListener('click', click);
  return made;
}

const svg = 'http://www.w3.org/2000/svg';

/** Strokes on a grid of 24 by 24. */
const drawings = {
  clip: 'm20 11.500-8.300 8.200a5 5 0 0 1-7.100-7.100l8.600-8.500a3.400 3.400 0 0 1 4.800 4.800l-8.500 8.400a1.800 1.800 0 0 1-2.500-2.500l7.700-7.600',
  send: 'M12 19.500v-15m0 0-6.500 6.500M12 4.500l6.500 6.500',
  clock: 'M12 7.500V12l3 2m5.500-2a8.500 8.500 0 1 1-17 0 8.500 8.500 0 0 1 17 0Z',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  checks: 'm2.500 12.500 4.500 4.500L16.500 7.500M12 16l1 1 9-9.500',
  warning: 'M12 8v4.500m0 3.500v.01M20.500 12a8.500 8.500 0 1 1-17 0 8.500 8.500 0 0 1 17 0Z',
  more: 'M5.500 12h.01M12 12h.01M18.500 12h.01',
  file: 'M14 3H7a1.500 1.500 0 0 0-1.500 1.500v15A1.500 1.500 0 0 0 7 21h10a1.500 1.500 0 0 0 1.500-1.500V7.500L14 3Zm0 0v4.500h4.500',
  sound: 'M5 10v4m3.500-7v10M12 4.500v15m3.500-12.500v10M19 10v4',
};

/** @param {keyof typeof drawings} name */
export function icon(name) {
  const drawing = document.createElementNS(svg, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('class', `icon icon-${name}`);
  drawing.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', drawings[name]);
  drawing.append(line);
  return drawing;
}
