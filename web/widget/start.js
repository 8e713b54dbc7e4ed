import { createApi } from './api.js';
import { createChat } from './chat.js';
import { fetchLook, readOptions, readPlace } from './options.js';
import { createSession } from './session.js';
import { createWaiting } from './waiting.js';

/** On a narrower page the panel would cover the content. */
const roomForBoth = '(min-width: 720px)';

/**
 * A widget on the page: `end` removes it, and `forget` removes all that its browser has stored of its visitors.
 * @typedef {{ end: () => void, forget: () => void }} Placed
 */

/** @type {Map<HTMLScriptElement, Promise<Placed>>} */
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
 * @param {Promise<Placed>} placed
 */
async function leave(script, placed) {
  const { end, forget } = await placed;
  end();
  forget();
  return placeAnonymous(script);
}

/** @param {HTMLScriptElement} script */
function placeAnonymous(script) {
  const { user, userHash, userExp, userName, open, ...rest } = script.dataset;
  return place(script, rest);
}

/**
 * @param {HTMLScriptElement} script
 * @param {DOMStringMap} dataset
 * @returns {Promise<Placed>}
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
  // A sign-out in one tab signs the visitor out in all. A tab that slept hears it late: another session may be stored.
  const hear = (/** @type {StorageEvent} */ event) => {
    if (!session.isEndedBy(event)) return look();
    end();
    widgets.set(script, session.isStored() ? place(script, dataset) : placeAnonymous(script));
  };
  addEventListener('storage', hear, { signal: ended });
  document.addEventListener('visibilitychange', look, { signal: ended });

  function end() {
    ending.abort();
    chat.host.remove();
  }
  return { end, forget: session.forget };
}
