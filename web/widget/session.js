/** @import { Options } from './options.js' */
import { forget, keep, recall } from './kept.js';
import { problemOf } from './refused.js';

const patienceMs = 20_000;

/**
 * @typedef {object} Session
 * @property {() => boolean} isKnown whether this browser has had a session before
 * @property {() => Promise<string>} token
 * @property {(token: string) => void} drop forgets a token that the service refused
 * @property {() => void} end forgets the session, in this browser for good
 */

/**
 * The visitor's session, stored in the browser, so that the chat continues on the next page and the next day.
 * @param {Pick<Options, 'service' | 'channel' | 'user'>} options
 * @param {AbortSignal} ended
 * @returns {Session}
 */
export function createSession({ service, channel, user }, ended) {
  const key = `patchbay:${channel}:${user?.id ?? ''}`;
  let token = recall(key);
  /** @type {Promise<string> | null} */
  let opening = null;

  async function open() {
    const response = await fetch(`${service}widget/${channel}/sessions/`, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user }),
    });
    if (!response.ok) throw problemOf(response);
    const { session } = await response.json();
    // A session that was requested before the end is not stored after it.
    ended.throwIfAborted();
    token = session;
    keep(key, session);
    return session;
  }

  return {
    isKnown: () => token !== null,
    token: async () => {
      if (token !== null) return token;
      opening ??= open().finally(() => {
        opening = null;
      });
      return opening;
    },
    drop: (refused) => {
      if (token === refused) token = null;
    },
    end() {
      token = null;
      forget(key);
    },
  };
}
