import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { backoffMs, pause } from '../../../widget/backoff.js';
import { ApiProblem } from '../../shared/api.ts';

/** `refused`: the server no longer accepts this session, so reconnecting is useless. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'refused';

/** The server writes more often than this. A connection that is silent for longer is dead. */
const silenceMs = 50_000;
const longestPauseMs = 15_000;

/**
 * Keeps one live connection until `signal` aborts. After a gap it resumes after the last received event; `lastId` is
 * empty before the first.
 */
export async function keepLive({
  open,
  onEvent,
  onState,
  signal,
}: {
  open(lastId: string, signal: AbortSignal): Promise<Response>;
  onEvent(event: EventSourceMessage): void;
  onState(state: LiveState): void;
  signal: AbortSignal;
}): Promise<void> {
  let lastId = '';
  const parser = createParser({
    onEvent: (event) => {
      onEvent(event);
      lastId = event.id ?? lastId;
    },
  });
  for (let failures = 0; !signal.aborted; failures += 1) {
    const silence = startWatch();
    try {
      const { body } = await open(lastId, AbortSignal.any([signal, silence.signal]));
      onState('live');
      for await (const piece of piecesOf(body)) {
        failures = 0;
        silence.stir();
        parser.feed(piece);
      }
    } catch (error) {
      if (isRefusal(error)) return onState('refused');
    } finally {
      silence.stop();
      parser.reset();
    }
    if (signal.aborted) return;
    onState('lost');
    await pause(Math.min(longestPauseMs, backoffMs(failures)));
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429;

async function* piecesOf(body: Response['body']): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
    yield piece.value;
}

function startWatch() {
  const ending = new AbortController();
  const start = () => setTimeout(() => ending.abort(), silenceMs);
  let timer = start();
  return {
    signal: ending.signal,
    stir() {
      clearTimeout(timer);
      timer = start();
    },
    stop: () => clearTimeout(timer),
  };
}
