/** @import { Options } from './options.js' */
/** @import { Session } from './session.js' */
import { problemOf } from './refused.js';

/**
 * A message as the service sends it.
 * @typedef {object} Message
 * @property {string} uuid
 * @property {string | null} echo_id
 * @property {'client' | 'team'} from
 * @property {'text' | 'image' | 'document'} type
 * @property {string | null} text
 * @property {string | null} url
 * @property {Button[]} buttons
 * @property {string | null} author
 * @property {string} at
 * @property {boolean} seen
 */

/** @typedef {{ text: string, payload?: string, url?: string }} Button */
/** @typedef {{ messages: Message[], older: string | null, live_since: string }} History */
/** @typedef {{ echo_id: string, type?: 'text' | 'button', text?: string, payload?: string, attachment?: string }} NewMessage */

const patienceMs = 20_000;
/** The service's own timeout for a request body. */
const uploadPatienceMs = 60_000;

/** @typedef {ReturnType<typeof createApi>} Api */

/**
 * @param {Pick<Options, 'service' | 'channel'>} options
 * @param {Session} session
 * @param {AbortSignal} ended
 */
export function createApi(options, session, ended) {
  const call = createCall(options, session, ended);
  /** @param {number} ms */
  const within = (ms) => AbortSignal.any([ended, AbortSignal.timeout(ms)]);

  /**
   * @param {string} path
   * @param {object} body
   * @param {AbortSignal} [signal]
   */
  const post = (path, body, signal = within(patienceMs)) =>
    call(path, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  return {
    /** @type {(before: string | null) => Promise<History>} */
    history: async (before) => {
      const path = before === null ? 'messages/' : `messages/?before=${before}`;
      const response = await call(path, { signal: within(patienceMs) });
      return response.json();
    },
    /**
     * A message that is under way at the end still arrives.
     * @type {(message: NewMessage) => Promise<Message>}
     */
    send: async (message) => {
      const response = await post('messages/', message, AbortSignal.timeout(patienceMs));
      return response.json();
    },
    /** @type {(file: File) => Promise<{ uuid: string }>} */
    upload: async (file) => {
      const response = await call(`attachments/?name=${encodeURIComponent(file.name)}`, {
        method: 'POST',
        body: file,
        signal: within(uploadPatienceMs),
      });
      return response.json();
    },
    /** @type {(state: 'delivered' | 'read', messages: string[]) => Promise<void>} */
    confirm: async (state, messages) => {
      await post('receipts/', { state, messages });
    },
    /** @type {(since: string, signal: AbortSignal) => Promise<Response>} */
    live: (since, signal) =>
      call(`live/?since=${since}`, { signal: AbortSignal.any([ended, signal]), cache: 'no-store' }),
  };
}

/**
 * Calls the service with the visitor's session, and once more with a new session after a refusal.
 * @param {Pick<Options, 'service' | 'channel'>} options
 * @param {Session} session
 * @param {AbortSignal} ended
 */
function createCall({ service, channel }, session, ended) {
  /**
   * @param {string} path
   * @param {RequestInit} init
   * @param {boolean} [again]
   * @returns {Promise<Response>}
   */
  async function call(path, init, again = true) {
    ended.throwIfAborted();
    const token = await session.token();
    const response = await fetch(`${service}widget/${channel}/${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
    if (response.status === 401 && again) {
      session.drop(token);
      return call(path, init, false);
    }
    if (response.ok) return response;
    throw problemOf(response);
  }

  return call;
}
