/** @import { Options } from './options.js' */
import { alone, forgetAll, keep, recall } from './kept.js';
import { problemOf } from './refused.js';

const patienceMs = 20_000;

/**
 * @typedef {object} Session
 * @property {() => boolean} isKnown whether this browser has had a session before
 * @property {() => Promise<string>} token
 * @property {(token: string) => void} drop forgets a token that the service refused
 * @property {(event: StorageEvent) => boolean} isEndedBy whether another tab has forgotten the session
 * @property {() => boolean} isStored whether this browser has a session now, which another tab may have stored
 * @property {() => void} forget forgets all sessions of the channel in this browser, and what they have not sent
 */

/**
 * The visitor's session, stored in the browser, so that the chat continues on the next page and the next day. The
 * first tab that needs a session stores it, and the other tabs use it.
 * @param {Pick<Options, 'service' | 'channel' | 'user'>} options
 * @param {AbortSignal} ended
 * @returns {Session}
 */
export function createSession({ service, channel, user }, ended) {
  const key = `patchbay:${channel}:${user?.id ?? ''}`;
  /** @type {string | null} */
  let token = null;
  /** @type {Promise<string> | null} */
  let opening = null;
  /** @type {string | null} */
  let refused = null;

  /** Another tab may have stored a session since this page was loaded, or since a refusal. */
  function known() {
    const stored = recall(key);
    if (stored !== refused) token ??= stored;
    return token;
  }

  async function request() {
    const response = await fetch(`${service}widget/${channel}/sessions/`, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user }),
    });
    if (!response.ok) throw problemOf(response);
    /** @type {{ session: string }} */
    const { session } = await response.json();
    return session;
  }

  async function open() {
    const session = known() ?? (await request());
    // A session that was requested before the end is not stored after it.
    ended.throwIfAborted();
    // Another tab may have been faster: a stored session arrives here later than the lock, which some pages lack.
    if (known() === null) keep(key, session);
    token ??= session;
    return token;
  }

  return {
    isKnown: () => known() !== null,
    token: async () => {
      const session = known();
      if (session !== null) return session;
      opening ??= alone(key, ended, open).finally(() => {
        opening = null;
      });
      return opening;
    },
    drop: (bad) => {
      refused = bad;
      if (token === bad) token = null;
    },
    // A page that clears its storage names no key.
    isEndedBy: (event) => (event.key ?? key) === key && event.newValue === null,
    isStored: () => recall(key) !== null,
    forget: () => forgetAll(`patchbay:${channel}:`),
  };
}
