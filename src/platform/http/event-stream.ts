import type { FastifyReply, FastifyRequest } from 'fastify';
import { Throttled } from '../problem.ts';

/** A browser that reads nothing for so long that this has piled up is cut off; it comes back and resumes. */
const mostUnreadBytes = 256 * 1024;
const retryMs = 2_000;
const fullForSeconds = 30;

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  // Kept alive after its end it would keep a server that stops waiting for more requests.
  connection: 'close',
};

/** The browser's end of a connection. */
export type EventStream = {
  write(text: string): void;
  /** Keeps what stands in between from thinking that nobody is there. */
  heartbeat(): void;
  end(): void;
};

/**
 * Answers with server-sent events for as long as the browser stays. `connect` begins to tell and gives what ends that; null
 * when there is no place for one more, which is a 429.
 */
export function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  connect: (stream: EventStream) => (() => void) | null,
): FastifyReply {
  // An answer to HEAD has nothing after its head, and no end if one waits for what there is to tell.
  if (request.method === 'HEAD') return reply.headers(headers).send();
  const { raw } = reply;
  const write = (text: string): void => {
    raw.write(text);
    if (raw.writableLength > mostUnreadBytes) raw.destroy();
  };
  const disconnect = connect({ write, heartbeat: () => write(':\n\n'), end: () => raw.end() });
  if (disconnect === null) throw new Throttled(fullForSeconds);
  raw.once('close', disconnect);
  // Whoever has left already is not told of again, and would keep a place for ever.
  if (raw.destroyed) disconnect();
  reply.headers(headers).hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value ?? '');
  write(`retry: ${retryMs}\n\n`);
  return reply;
}

/** One event. An `id` is what a browser resumes from. */
export const eventText = (event: string, data: unknown, id?: string): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
