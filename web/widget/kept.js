/**
 * A browser may refuse storage. Values then live as long as the page.
 * @param {string} key
 */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} start of the keys */
export function forgetAll(start) {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(start)) localStorage.removeItem(key);
  } catch {
    // See `recall`.
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // See `recall`.
  }
}

/**
 * Acts in one tab of the browser at a time. A page without https has no locks. A browser that refuses storage also
 * refuses locks, and has nothing to share between tabs.
 * @template T
 * @param {string} name
 * @param {AbortSignal} ended
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function alone(name, ended, act) {
  if (!navigator.locks) return act();
  try {
    return await navigator.locks.request(name, { signal: ended }, act);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return act();
    throw error;
  }
}
