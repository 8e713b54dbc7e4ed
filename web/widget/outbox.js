/** @import { Api, Message, NewMessage } from './api.js' */
/** @import { Conversation, Item } from './conversation.js' */
/** @import { Waiting } from './waiting.js' */
import { backoffMs, pause } from './backoff.js';
import { Refused } from './refused.js';
import { newUuid } from './uuid.js';

/** @typedef {{ item: Item, message: NewMessage, file: File | null }} Task */

/**
 * Sends one message after the other and retries each until the service has it; its `echo_id` makes repetition
 * harmless. Only messages that the service refuses are marked as failed and wait for the client.
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
   * A refused file is not retried. A text can be sent again.
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

    /** Resumes messages that an earlier page could not send. Returns true if any exist. */
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
 * Runs tasks one after the other. Returns the function that adds a task.
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
      const stored = await api.send(message);
      if (ended.aborted) return;
      onStored(stored);
      kept.remove(message.echo_id);
      return;
    } catch (error) {
      if (ended.aborted) return;
      if (error instanceof Refused) return onRefused(task, error.status);
      await pause(backoffMs(failures));
    }
  }
}
