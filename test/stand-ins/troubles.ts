import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Behaviour } from './messenger.ts';

/** Faults of a foreign HTTP server beyond an error status. */

export const silence: Behaviour = () => {};

export const silenceInTheHeaders: Behaviour = (_delivery, response) =>
  void response.socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n');

export const silenceInTheBody: Behaviour = (_delivery, response) =>
  void response.writeHead(200, { 'content-length': 100 }).write('{"message_id": ');

export const hangUp: Behaviour = (_delivery, response) => void response.destroy();

export const hangUpInTheBody: Behaviour = (_delivery, response) =>
  void response.writeHead(200, { 'content-length': 100 }).write('{"message_id": ', () => response.destroy());

export const garbage: Behaviour = (_delivery, response) => void response.socket?.end(randomBytes(1_000));

export const endlessHeaders: Behaviour = (_delivery, { socket }) => {
  if (!socket) return;
  socket.write('HTTP/1.1 200 OK\r\n');
  withoutEnd(`x-more: ${'and more '.repeat(100)}\r\n`).pipe(socket);
};

export const endlessBody: Behaviour = (_delivery, response) =>
  void withoutEnd('and more '.repeat(100)).pipe(response.writeHead(200));

/** Read as fast as the other side accepts, until that side hangs up. */
const withoutEnd = (text: string): Readable =>
  new Readable({
    read() {
      this.push(text);
    },
  });
