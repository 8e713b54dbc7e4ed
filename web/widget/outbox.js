/** @import { Api, Message, NewMessage } from './api.js' */
/** @import { Conversation, Item } from './conversation.js' */
import { backoffMs, pause } from './backoff.js';
import { Refused } from './refused.js';
import { newUuid } from './uuid.js';

/**
 * Sends one message after the other, each until the service has it: its `echo_id` makes a repeated one harmless. Only
 * what the service refuses is marked as failed, and waits for the client's word.
 * @param {Api} api
 * @param {Conversation} conversation
 * @param {(message: Message) => void} onStored
 */
export function createOutbox(api, conversation, onStored) {
  /** @type {{ item: Item, message: NewMessage }[]} */
  const waiting = [];
  let busy = false;

  async function work() {
    if (busy) return;
    busy = true;
    for (let next = waiting[0]; next; next = waiting[0]) {
      await deliver(next.item, next.message);
      waiting.shift();
    }
    busy = false;
  }

  /**
   * @param {Item} item
   * @param {NewMessage} message
   */
  async function deliver(item, message) {
    for (let failures = 0; ; failures += 1) {
      try {
        onStored(await api.send(message));
        return;
      } catch (error) {
        if (error instanceof Refused) {
          conversation.mark(item, 'failed');
          return;
        }
        await pause(backoffMs(failures));
      }
    }
  }

  /** @param {NewMessage} message */
  function send(message) {
    const item = conversation.write(message.echo_id, message.text);
    waiting.push({ item, message });
    void work();
  }

  return {
    /** @param {string} text */
    sendText: (text) => send({ echo_id: newUuid(), type: 'text', text }),

    /**
     * @param {string} text
     * @param {string} payload
     */
    pressButton: (text, payload) => send({ echo_id: newUuid(), type: 'button', text, payload }),

    /** @param {Item} item */
    retry(item) {
      if (item.state !== 'failed' || item.echoId === null) return;
      conversation.mark(item, 'sending');
      waiting.push({ item, message: { echo_id: item.echoId, type: 'text', text: item.text } });
      void work();
    },
  };
}
