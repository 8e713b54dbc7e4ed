const firstMs = 500;
const longestMs = 30_000;

/**
 * The delay after a number of consecutive failures. It doubles with a random half, so that a thousand browsers do
 * not reconnect at the same moment.
 * @param {number} failures
 */
export const backoffMs = (failures) =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);

/**
 * Waits, but ends early when the browser is online again.
 * @param {number} ms
 * @returns {Promise<void>}
 */
export const pause = (ms) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });
