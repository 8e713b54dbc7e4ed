/** The parts of a request's target: a path, or an absolute address from a proxy. Its text is arbitrary. */

/** The received path, still encoded. */
export function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}

/** The path with the trailing slash of all our addresses. */
export function canonicalPathOf(target: string): string {
  return pathOf(target).replace(/\/?$/, '/');
}

export function queryOf(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1).replace(/#.*$/s, ''));
}
