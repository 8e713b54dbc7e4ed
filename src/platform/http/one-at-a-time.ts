import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';

/** Clients that send requests ahead send a few. */
const mostWaiting = 100;

/**
 * Each connection has one request under way. Node answers requests that were sent ahead in their order, but begins all
 * of them at once: thousands of one connection would keep everybody else waiting. A connection with too many ends, as
 * RFC 9112, 9.3.2 expects of servers.
 */
export function oneAtATime(): onRequestHookHandler {
  /** What begins the requests behind the one under way. */
  const lines = new WeakMap<Socket, (() => void)[]>();

  function beginNext(socket: Socket): void {
    const begin = lines.get(socket)?.shift();
    if (begin === undefined) lines.delete(socket);
    else if (socket.writable) begin();
  }

  return ({ socket }, { raw }, done) => {
    const waiting = lines.get(socket);
    raw.once('close', () => beginNext(socket));
    if (waiting === undefined) {
      lines.set(socket, []);
      done();
    } else if (waiting.length < mostWaiting) waiting.push(done);
    else socket.destroy();
  };
}
