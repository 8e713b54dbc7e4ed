/** @import { NewMessage } from './api.js' */
/** @import { Options } from './options.js' */
import { keep, recall } from './kept.js';

/** @typedef {ReturnType<typeof createWaiting>} Waiting */

/**
 * Unsent messages, stored for the next page. Another page of the same visitor may send them too; `echo_id` makes
 * that harmless.
 * @param {Pick<Options, 'channel' | 'user'>} options
 */
export function createWaiting({ channel, user }) {
  const key = `patchbay:${channel}:${user?.id ?? ''}:waiting`;

  /** @returns {NewMessage[]} */
  function all() {
    try {
      const kept = JSON.parse(recall(key) ?? '[]');
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  /** @param {string} echoId */
  const without = (echoId) => all().filter(({ echo_id }) => echo_id !== echoId);

  return {
    all,
    /** @param {NewMessage} message */
    add: (message) => keep(key, JSON.stringify([...without(message.echo_id), message])),
    /** @param {string} echoId */
    remove: (echoId) => keep(key, JSON.stringify(without(echoId))),
  };
}
