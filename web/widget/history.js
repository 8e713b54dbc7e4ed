/** @import { Api, Message } from './api.js' */
import { backoffMs, pause } from './backoff.js';
import { Refused } from './refused.js';

/**
 * Earlier messages, page by page.
 * @param {object} wiring
 * @param {Api} wiring.api
 * @param {(messages: Message[]) => void} wiring.take
 * @param {AbortSignal} wiring.ended
 */
export function createHistory({ api, take, ended }) {
  /** @type {string | null} */
  let older = null;

  /** Null if the service does not allow this page. */
  async function first() {
    for (let failures = 0; ; failures += 1) {
      try {
        return await api.history(null);
      } catch (error) {
        if (error instanceof Refused || ended.aborted) return null;
        await pause(backoffMs(failures));
      }
    }
  }

  return {
    /** The time from which the live connection continues. Null without a chat, or if the widget has ended. */
    async begin() {
      const page = await first();
      if (page === null || ended.aborted) return null;
      older = page.older;
      take(page.messages);
      return page.live_since;
    },

    async addOlder() {
      const before = older;
      if (before === null) return;
      older = null;
      try {
        const page = await api.history(before);
        take(page.messages);
        older = page.older;
      } catch {
        older = before;
      }
    },
  };
}
