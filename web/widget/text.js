/** @typedef {{ text: string, href: string | null }} Part */

const address = /\bhttps?:\/\/[^\s<>"']+[^\s<>"'.,;:!?…\p{Pi}\p{Pf})\]}]/giu;

/**
 * Splits a text at its links.
 * @param {string} text
 * @returns {Part[]}
 */
export function partsOf(text) {
  /** @type {Part[]} */
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    if (index > end) parts.push({ text: text.slice(end, index), href: null });
    parts.push({ text: found, href: webAddress(found) });
    end = index + found.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null });
  return parts;
}

/**
 * The URL, if a click on it can only open a page: never `javascript:` or `data:`.
 * @param {string | null | undefined} text
 */
export function webAddress(text) {
  if (!text || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/**
 * The last part of a URL.
 * @param {string} url
 */
export function fileName(url) {
  const last = new URL(url).pathname.split('/').findLast(Boolean) ?? '';
  try {
    return decodeURIComponent(last) || 'Document';
  } catch {
    return last;
  }
}
