import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Throttled } from '../problem.ts';
import { Closing } from './errors.ts';

/** A browser that reads nothing is disconnected when this much has piled up. It reconnects and resumes. */
const mostUnreadBytes = 256 * 1024;
const retryMs = 2_000;
const fullForSeconds = 30;

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  // A connection kept alive after the stream would delay a stopping server, which waits for more requests.
  connection: 'close',
};

/** The browser's end of a connection. */
export type EventStream = {
  write(text: string): void;
  /** Whether the browser should read before more is written. */
  isFull(): boolean;
  /** Resolves when the stream is not full, or when the browser has left. */
  drained(): Promise<void>;
  /** Keeps proxies from closing a silent connection. */
  heartbeat(): void;
  end(): void;
};

/**
 * Answers with server-sent events until the browser leaves. `connect` starts the events and returns the function that
 * ends them. It returns null when no place is free, which is a 429.
 * A closing server has ended its streams. One that began now would never end, and the server would wait for it.
 */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  connect: (stream: EventStream) => (() => void) | null,
): FastifyReply {
  // An answer to HEAD ends after its head. It would never end if it waited for events.
  if (request.method === 'HEAD') return reply.headers(headers).send();
  if (request.server.isClosing) throw new Closing();
  const { raw } = reply;
  const write = (text: string): void => {
    // What is written is measured at the next write. A single large event would otherwise end every connection.
    if (raw.writableLength > mostUnreadBytes) raw.destroy();
    else if (!raw.writableEnded) raw.write(text);
  };
  const disconnect = connect({
    write,
    isFull: () => raw.writableNeedDrain,
    drained: () => untilDrained(raw),
    // A browser that is still reading is not silent. One that has stopped ends by the server's limit for silence.
    heartbeat: () => raw.writableNeedDrain || write(':\n\n'),
    end: () => (raw.writableNeedDrain ? raw.destroy() : raw.end()),
  });
  if (disconnect === null) throw new Throttled(fullForSeconds);
  raw.once('close', disconnect);
  // A browser that has already left triggers no further `close`, and would keep its place forever.
  if (raw.destroyed) disconnect();
  reply.headers(headers).hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value ?? '');
  write(`retry: ${retryMs}\n\n`);
  return reply;
}

async function untilDrained(raw: ServerResponse): Promise<void> {
  if (!raw.writableNeedDrain) return;
  const ending = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(raw, event, { signal: ending.signal })));
  ending.abort();
}

/** One event. A browser resumes from its `id`. */
export const eventText = (event: string, data: unknown, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
