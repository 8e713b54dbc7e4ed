/** @import { Api } from './api.js' */
import { backoffMs, pause } from './backoff.js';
import { Refused } from './refused.js';

/** Receipts in quick succession are sent together. */
const gatherMs = 150;
const mostAtOnce = 100;

/**
 * Reports which messages arrived here and which were seen.
 * @param {Api} api
 */
export function createReceipts(api) {
  /** @type {{ delivered: Set<string>, read: Set<string> }} */
  const told = { delivered: new Set(), read: new Set() };
  return { delivered: teller('delivered'), read: teller('read') };

  /** @param {'delivered' | 'read'} state */
  function teller(state) {
    /** @type {string[]} */
    let waiting = [];
    let busy = false;

    async function work() {
      busy = true;
      let failures = 0;
      while (waiting.length > 0) {
        await pause(failures === 0 ? gatherMs : backoffMs(failures));
        const batch = waiting.slice(0, mostAtOnce);
        try {
          await api.confirm(state, batch);
          waiting = waiting.slice(batch.length);
          failures = 0;
        } catch (error) {
          if (error instanceof Refused) waiting = waiting.slice(batch.length);
          failures += 1;
        }
      }
      busy = false;
    }

    /** @param {string} uuid */
    return (uuid) => {
      if (told[state].has(uuid)) return;
      told[state].add(uuid);
      waiting.push(uuid);
      if (!busy) void work();
    };
  }
}
