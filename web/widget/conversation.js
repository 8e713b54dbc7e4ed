/** @import { Button, Message, NewMessage } from './api.js' */

/**
 * A message on the screen. It keeps its identity from the moment of typing, before the service assigns an id.
 * @typedef {object} Item
 * @property {string | null} uuid
 * @property {string | null} echoId
 * @property {'client' | 'team'} from
 * @property {'text' | 'image' | 'document'} type
 * @property {string} text
 * @property {string | null} url
 * @property {Button[]} buttons
 * @property {string | null} author
 * @property {number} at milliseconds
 * @property {boolean} seen
 * @property {'sending' | 'failed' | 'stored'} state
 * @property {string} fileName of a file that is being sent
 * @property {'badType' | 'tooLarge' | null} problem why a file cannot be sent; null where trying again may help
 */

/**
 * @typedef {object} Watcher
 * @property {(item: Item, next: Item | null) => void} placed an item is new, or belongs elsewhere: before `next` now
 * @property {(item: Item) => void} changed
 */

/** @typedef {ReturnType<typeof createConversation>} Conversation */

/**
 * The messages in display order. A message from the history, the live connection and the response to its sending is
 * one item.
 * @param {Watcher} watcher
 */
export function createConversation(watcher) {
  /** @type {Item[]} */
  const items = [];

  /** @param {Item} item */
  function place(item) {
    const index = items.findLastIndex((other) => isBefore(other, item)) + 1;
    const next = items[index] ?? null;
    items.splice(index, 0, item);
    watcher.placed(item, next);
  }

  /** @param {Message} message */
  const known = ({ uuid, echo_id }) =>
    items.find((item) => item.uuid === uuid || (echo_id !== null && item.echoId === echo_id));

  return {
    items,

    /**
     * Adds a message from the service. Returns true if it was unknown, or not known to be stored.
     * @param {Message} message
     */
    learn(message) {
      const item = known(message);
      if (!item) {
        place(itemOf(message));
        return true;
      }
      if (item.state === 'stored') return false;
      items.splice(items.indexOf(item), 1);
      if (item.url) URL.revokeObjectURL(item.url);
      Object.assign(item, itemOf(message));
      place(item);
      watcher.changed(item);
      return true;
    },

    /**
     * Shows a message of the client before the service has stored it.
     * @param {NewMessage} message
     * @param {File} [file]
     */
    write({ echo_id, text = '' }, file) {
      const item = writtenItem(echo_id, text, file);
      place(item);
      return item;
    },

    /**
     * @param {Item} item
     * @param {Item['state']} state
     */
    mark(item, state) {
      item.state = state;
      watcher.changed(item);
    },

    /** @param {Item} item */
    see(item) {
      item.seen = true;
      watcher.changed(item);
    },

    unseen: () => items.filter(({ seen }) => !seen).length,
  };
}

/**
 * @param {string} echoId
 * @param {string} text
 * @param {File} [file]
 * @returns {Item}
 */
const writtenItem = (echoId, text, file) => ({
  uuid: null,
  echoId,
  from: 'client',
  type: file ? typeOf(file) : 'text',
  text,
  url: file && typeOf(file) === 'image' ? URL.createObjectURL(file) : null,
  buttons: [],
  author: null,
  at: Date.now(),
  seen: true,
  state: 'sending',
  fileName: file?.name ?? '',
  problem: null,
});

/**
 * @param {Message} message
 * @returns {Item}
 */
const itemOf = (message) => ({
  uuid: message.uuid,
  echoId: message.echo_id,
  from: message.from,
  type: message.type,
  text: message.text ?? '',
  url: message.url,
  buttons: message.buttons,
  author: message.author,
  at: Date.parse(message.at),
  seen: message.seen,
  state: 'stored',
  fileName: '',
  problem: null,
});

/** @param {File} file */
const typeOf = ({ type }) => (/^image\/(jpeg|png|gif|webp)$/.test(type) ? 'image' : 'document');

/**
 * Ordered by the service's time. Unsent messages come last, in the order of writing.
 * @param {Item} a
 * @param {Item} b
 */
function isBefore(a, b) {
  if (a.state !== 'stored' || b.state !== 'stored') return a.state === 'stored' || b.state !== 'stored';
  return a.at < b.at || (a.at === b.at && String(a.uuid) < String(b.uuid));
}
