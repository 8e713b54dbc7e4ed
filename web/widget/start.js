/** @import { Item } from './conversation.js' */
/** @import { Message } from './api.js' */
import { createApi } from './api.js';
import { backoffMs, pause } from './backoff.js';
import { createConversation } from './conversation.js';
import { keepLive } from './live.js';
import { fetchLook, readOptions, readPlace } from './options.js';
import { createOutbox } from './outbox.js';
import { createReceipts } from './receipts.js';
import { Refused } from './refused.js';
import { createSession } from './session.js';
import { createView } from './view.js';
import { createWaiting } from './waiting.js';

/** Beside a narrower page the panel would cover what it is opened for. */
const roomForBoth = '(min-width: 720px)';

/**
 * The widgets that are there, and what takes each away with all that this browser keeps of its visitor.
 * @type {Map<HTMLScriptElement, Promise<() => void>>}
 */
const widgets = new Map();

/**
 * Puts the widget on the page of this script tag. Where nobody has chatted yet it connects only when it is opened.
 * @param {HTMLScriptElement} script
 */
export function start(script) {
  widgets.set(script, place(script, script.dataset));
}

/**
 * Forgets the visitor in every widget of the page: their session, their messages that wait, and whom the page has vouched for.
 * What is there from now on is a stranger's.
 */
export async function logout() {
  await Promise.all(Array.from(widgets, ([script, placed]) => leave(script, placed)));
}

/**
 * @param {HTMLScriptElement} script
 * @param {Promise<() => void>} placed
 */
async function leave(script, placed) {
  const end = await placed;
  end();
  const {
    user: _user,
    userHash: _hash,
    userExp: _exp,
    userName: _name,
    open: _open,
    ...rest
  } = script.dataset;
  widgets.set(script, place(script, rest));
  await widgets.get(script);
}

/**
 * @param {HTMLScriptElement} script
 * @param {DOMStringMap} dataset
 * @returns {Promise<() => void>} what ends it
 */
async function place(script, dataset) {
  const where = readPlace(script);
  const options = { ...where, ...readOptions(dataset, await fetchLook(where)) };
  const ending = new AbortController();
  const ended = ending.signal;
  const kept = createWaiting(options);
  const session = createSession(options, ended);
  const api = createApi(options, session, ended);
  const receipts = createReceipts(api);
  const conversation = createConversation({
    placed: (item, next) => log.place(item, next),
    changed: (item) => log.update(item),
  });
  const outbox = createOutbox({ api, conversation, kept, onStored: hear, ended });
  const { host, log, panel, launcher } = createView(options, {
    actions: { retry: outbox.retry, press: outbox.pressButton },
    onSeen: see,
    onTop: () => void loadOlder(),
    onSend: send,
    onFile: sendFile,
    onOpen: open,
    onClose: close,
  });

  let isOpen = false;
  let isConnected = false;
  /** @type {string | null} */
  let older = null;

  function open() {
    show(true);
    panel.focus();
  }

  function close() {
    show(false);
    launcher.focus();
  }

  /** @param {boolean} opened */
  function show(opened) {
    isOpen = opened;
    panel.node.hidden = !opened;
    launcher.show(isOpen, conversation.unseen());
    if (!opened) return;
    log.toEnd();
    void connect();
  }

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
    launcher.show(isOpen, conversation.unseen());
  }

  /** @param {Message} message */
  function learn(message) {
    const isNew = conversation.learn(message);
    if (isNew && !message.seen) receipts.delivered(message.uuid);
    return isNew;
  }

  /**
   * What happens while the page is open; the page hears of it too.
   * @param {Message} message
   */
  function hear(message) {
    if (!learn(message)) return;
    if (message.from === 'team') panel.endTyping();
    launcher.show(isOpen, conversation.unseen());
    if (!isOpen && !message.seen) launcher.announce(message.text ?? options.words.news);
    document.dispatchEvent(new CustomEvent('patchbay:message', { detail: message }));
  }

  async function connect() {
    if (isConnected) return;
    isConnected = true;
    panel.setConnected(false);
    const history = await firstHistory();
    if (ended.aborted) return;
    if (history === null) return panel.setUnavailable();
    older = history.older;
    log.fill(() => history.messages.forEach(learn));
    log.toEnd();
    launcher.show(isOpen, conversation.unseen());
    await keepLive(
      { open: api.live, onMessage: hear, onTyping: panel.showTyping, onState: panel.setConnected, ended },
      history.live_since,
    );
  }

  /** Null where the service does not want this page. */
  async function firstHistory() {
    for (let failures = 0; ; failures += 1) {
      try {
        return await api.history(null);
      } catch (error) {
        if (error instanceof Refused || ended.aborted) return null;
        await pause(backoffMs(failures));
      }
    }
  }

  async function loadOlder() {
    const before = older;
    if (before === null) return;
    older = null;
    try {
      const page = await api.history(before);
      log.fill(() => page.messages.forEach(learn));
      older = page.older;
    } catch {
      older = before;
    }
  }

  document.body.append(host);
  const isWaiting = outbox.resume();
  if (options.open && matchMedia(roomForBoth).matches) show(true);
  else if (isWaiting || session.isKnown() || options.user) void connect();

  return () => {
    ending.abort();
    session.end();
    kept.clear();
    host.remove();
  };
}
