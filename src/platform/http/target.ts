/** The parts of a request's target, which is a path, or a whole address when a proxy asks. Anything at all may stand in it. */

/** The path as it came, still encoded. */
export function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
}

/** The path with the slash at its end that all our own addresses have. */
export function canonicalPathOf(target: string): string {
  return pathOf(target).replace(/\/?$/, '/');
}

export function queryOf(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : target.slice(start + 1).replace(/#.*$/s, ''));
}
