import { createApi } from './api.js';
import { createChat } from './chat.js';
import { fetchLook, readOptions, readPlace } from './options.js';
import { createSession } from './session.js';
import { createWaiting } from './waiting.js';

/** On a narrower page the panel would cover the content. */
const roomForBoth = '(min-width: 720px)';

/**
 * The widgets on the page, each with a function that removes it and all stored data of its visitor.
 * @type {Map<HTMLScriptElement, Promise<() => void>>}
 */
const widgets = new Map();

/**
 * Adds the widget to the page of this script tag. Without an earlier chat it connects only when it is opened, here or in
 * another tab.
 * @param {HTMLScriptElement} script
 */
export function start(script) {
  widgets.set(script, place(script, script.dataset));
}

/**
 * Forgets the visitor in every widget of the page: session, unsent messages and identity. The next visitor is
 * anonymous.
 */
export async function logout() {
  for (const [script, placed] of widgets) widgets.set(script, leave(script, placed));
  await Promise.all(widgets.values());
}

/**
 * @param {HTMLScriptElement} script
 * @param {Promise<() => void>} placed
 * @returns {Promise<() => void>} what ends the next one
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
  return place(script, rest);
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
  const chat = createChat(options, { api, kept, ended });

  document.body.append(chat.host);
  const isWaiting = chat.resume();
  if (options.open && matchMedia(roomForBoth).matches) chat.show(true);
  else if (isWaiting || session.isKnown() || options.user) void chat.connect();

  // A tab connects when the visitor has begun the chat in another one. A browser allows only a few connections, so
  // hidden tabs wait.
  const look = () => {
    if (!document.hidden && session.isKnown()) void chat.connect();
  };
  // A sign-out in one tab signs the visitor out in all.
  const hear = (/** @type {StorageEvent} */ event) => (session.isEndedBy(event) ? void logout() : look());
  addEventListener('storage', hear, { signal: ended });
  document.addEventListener('visibilitychange', look, { signal: ended });

  return () => {
    ending.abort();
    session.end();
    kept.clear();
    chat.host.remove();
  };
}
