/** @import { Message } from './api.js' */
import { backoffMs, pause } from './backoff.js';
import { eventReader } from './events.js';

/** The service writes every 20 s. A connection that is silent for this long is dead. */
const silenceMs = 50_000;
/** A hidden page closes its connection after this time, because browsers allow only a few. */
const hiddenMs = 5 * 60_000;
const unseen = 'nobody looks at this page';

/**
 * Keeps a live connection. After a gap it resumes after the last event.
 * @param {object} wiring
 * @param {(since: string, signal: AbortSignal) => Promise<Response>} wiring.open
 * @param {(message: Message) => void} wiring.onMessage
 * @param {(author: string) => void} wiring.onTyping
 * @param {(connected: boolean) => void} wiring.onState
 * @param {AbortSignal} wiring.ended
 * @param {string} since
 */
export async function keepLive({ open, onMessage, onTyping, onState, ended }, since) {
  let known = since;
  let failures = 0;
  for (;;) {
    const ending = new AbortController();
    const cut = () => ending.abort();
    const silence = watchdog(cut);
    addEventListener('offline', cut);
    const hidden = whenHiddenFor(hiddenMs, () => ending.abort(unseen));
    const read = eventReader(({ event, id, data }) => {
      if (event === 'typing') onTyping(JSON.parse(data).author);
      if (event !== 'message') return;
      onMessage(JSON.parse(data));
      known = id ?? known;
    });
    try {
      const { body } = await open(known, ending.signal);
      const pieces = body?.pipeThrough(new TextDecoderStream()).getReader();
      onState(true);
      for (let piece = await pieces?.read(); piece && !piece.done; piece = await pieces?.read()) {
        failures = 0;
        silence.stir();
        read(piece.value);
      }
    } catch {
      // The network, the service or the widget ended the connection; the next step is the same.
    }
    silence.stop();
    hidden.stop();
    removeEventListener('offline', cut);
    if (ended.aborted) return;
    onState(false);
    if (ending.signal.reason === unseen) await visible();
    else await pause(backoffMs(failures++));
  }
}

/** @param {() => void} onSilence */
function watchdog(onSilence) {
  let timer = setTimeout(onSilence, silenceMs);
  return {
    stir() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/**
 * @param {number} ms
 * @param {() => void} act
 */
function whenHiddenFor(ms, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(act, ms);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return {
    stop() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    },
  };
}

/** @returns {Promise<void>} */
function visible() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}
