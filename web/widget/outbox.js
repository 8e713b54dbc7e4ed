/** @import { Api, Message, NewMessage } from './api.js' */
/** @import { Conversation, Item } from './conversation.js' */
/** @import { Waiting } from './waiting.js' */
import { backoffMs, pause } from './backoff.js';
import { Refused } from './refused.js';
import { newUuid } from './uuid.js';

/** @typedef {{ item: Item, message: NewMessage, file: File | null }} Task */

/**
 * Sends one message after the other, each until the service has it: its `echo_id` makes a repeated one harmless. Only
 * what the service refuses is marked as failed, and waits for the client's word.
 * @param {object} wiring
 * @param {Api} wiring.api
 * @param {Conversation} wiring.conversation
 * @param {Waiting} wiring.kept
 * @param {(message: Message) => void} wiring.onStored
 * @param {AbortSignal} wiring.ended
 */
export function createOutbox({ api, conversation, kept, onStored, ended }) {
  /** @type {Map<Item, Task>} */
  const failed = new Map();
  const enqueue = createQueue((task) => deliver(task, { api, kept, onStored, onRefused: refuse, ended }));

  /**
   * A file that was refused stays so; a text may be sent once more.
   * @param {Task} task
   * @param {number} status
   */
  function refuse(task, status) {
    const { item, message, file } = task;
    kept.remove(message.echo_id);
    if (file) item.problem = status === 413 ? 'tooLarge' : status === 400 ? 'badType' : null;
    failed.set(item, task);
    conversation.mark(item, 'failed');
  }

  /** @param {NewMessage} message */
  function send(message) {
    kept.add(message);
    enqueue({ item: conversation.write(message), message, file: null });
  }

  return {
    /** @param {string} text */
    sendText: (text) => send({ echo_id: newUuid(), type: 'text', text }),

    /**
     * @param {string} text
     * @param {string} payload
     */
    pressButton: (text, payload) => send({ echo_id: newUuid(), type: 'button', text, payload }),

    /** @param {File} file */
    sendFile(file) {
      const message = { echo_id: newUuid() };
      enqueue({ item: conversation.write(message, file), message, file });
    },

    /** Takes up what an earlier page could not send. True when there is any. */
    resume() {
      const messages = kept.all();
      messages.forEach(send);
      return messages.length > 0;
    },

    /** @param {Item} item */
    retry(item) {
      const task = failed.get(item);
      if (!task) return;
      failed.delete(item);
      conversation.mark(item, 'sending');
      enqueue(task);
    },
  };
}

/**
 * Does one task after the other. Returns what adds one.
 * @param {(task: Task) => Promise<void>} act
 */
function createQueue(act) {
  /** @type {Task[]} */
  const queue = [];
  let busy = false;

  async function work() {
    if (busy) return;
    busy = true;
    for (let next = queue[0]; next; next = queue[0]) {
      await act(next);
      queue.shift();
    }
    busy = false;
  }

  /** @param {Task} task */
  return (task) => {
    queue.push(task);
    void work();
  };
}

/**
 * @param {Task} task
 * @param {object} wiring
 * @param {Api} wiring.api
 * @param {Waiting} wiring.kept
 * @param {(message: Message) => void} wiring.onStored
 * @param {(task: Task, status: number) => void} wiring.onRefused
 * @param {AbortSignal} wiring.ended
 */
async function deliver(task, { api, kept, onStored, onRefused, ended }) {
  const { message } = task;
  for (let failures = 0; ; failures += 1) {
    try {
      if (task.file) {
        message.attachment = (await api.upload(task.file)).uuid;
        task.file = null;
      }
      onStored(await api.send(message));
      kept.remove(message.echo_id);
      return;
    } catch (error) {
      if (ended.aborted) return;
      if (error instanceof Refused) return onRefused(task, error.status);
      await pause(backoffMs(failures));
    }
  }
}
