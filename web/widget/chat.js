/** @import { Api, Message } from './api.js' */
/** @import { Item } from './conversation.js' */
/** @import { Options } from './options.js' */
/** @import { Waiting } from './waiting.js' */
import { createConversation } from './conversation.js';
import { createFrame } from './frame.js';
import { createHistory } from './history.js';
import { keepLive } from './live.js';
import { createOutbox } from './outbox.js';
import { createReceipts } from './receipts.js';
import { createView } from './view.js';

/**
 * The visitor's chat: its view, and its communication with the service.
 * @param {Options} options
 * @param {{ api: Api, kept: Waiting, ended: AbortSignal }} wiring
 */
export function createChat(options, { api, kept, ended }) {
  const receipts = createReceipts(api);
  const conversation = createConversation({
    placed: (item, next) => log.place(item, next),
    changed: (item) => log.update(item),
  });
  const outbox = createOutbox({ api, conversation, kept, onStored: hear, ended });
  const view = createView(options, {
    actions: { retry: outbox.retry, press: outbox.pressButton },
    onSeen: see,
    onTop: () => void history.addOlder(),
    onSend: send,
    onFile: sendFile,
    onOpen: () => frame.open(),
    onClose: () => frame.close(),
  });
  const { log, panel, launcher } = view;
  const frame = createFrame(view, { unseen: conversation.unseen, onOpened: () => void connect() });
  const history = createHistory({
    api,
    take: (messages) => log.fill(() => messages.forEach(learn)),
    ended,
  });

  let isConnected = false;

  /** @param {string} text */
  function send(text) {
    void connect();
    outbox.sendText(text);
  }

  /** @param {File} file */
  function sendFile(file) {
    void connect();
    outbox.sendFile(file);
  }

  /** @param {Item} item */
  function see(item) {
    if (item.seen || item.uuid === null) return;
    conversation.see(item);
    receipts.read(item.uuid);
    frame.tellUnseen();
  }

  /** @param {Message} message */
  function learn(message) {
    const isNew = conversation.learn(message);
    if (isNew && !message.seen) receipts.delivered(message.uuid);
    return isNew;
  }

  /**
   * Events for the page, while it is open.
   * @param {Message} message
   */
  function hear(message) {
    if (!learn(message)) return;
    if (message.from === 'team') panel.endTyping();
    frame.tellUnseen();
    if (!frame.isOpen() && !message.seen) launcher.announce(message.text ?? options.words.news);
    document.dispatchEvent(new CustomEvent('patchbay:message', { detail: message }));
  }

  async function connect() {
    if (isConnected) return;
    isConnected = true;
    panel.setConnected(false);
    const since = await history.begin();
    if (ended.aborted) return;
    if (since === null) return panel.setUnavailable();
    log.toEnd();
    frame.tellUnseen();
    await keepLive(
      { open: api.live, onMessage: hear, onTyping: panel.showTyping, onState: panel.setConnected, ended },
      since,
    );
  }

  return { host: view.host, show: frame.show, resume: outbox.resume, connect };
}
