import { Readable } from 'node:stream';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import type { AddressRange } from '../config.ts';
import type { Places, Room } from '../places.ts';
import { Throttled } from '../problem.ts';
import { strangerAddress } from './caller-address.ts';

const mebibyte = 1024 * 1024;

/** The limits on bytes held at the same time in one process: four and sixteen of the largest body. */
const most = { address: 64 * mebibyte, process: 256 * mebibyte };
export const fullForSeconds = 5;

/** As much as a connection costs anyway. Smaller bodies do not count. */
const small = 16 * 1024;

/**
 * Limits the memory for bodies that are still arriving: unfinished bodies could fill it before their timeout. Counts
 * received bytes, and throws `Throttled` when no room is left. Streamed bodies are not held.
 */
export function holdBodies(places: Places, trustedProxies: readonly AddressRange[]): preParsingHookHandler {
  return (request, reply, payload, done) => {
    if (isSmall(request) || request.admitted?.bodyKind === 'stream') return void done(null, payload);
    const rooms = roomsFor(request, trustedProxies);
    const held: (() => void)[] = [];
    reply.raw.once('close', () => {
      for (const giveBack of held) giveBack();
    });
    const take = (bytes: number): void => {
      const giveBack = places.take(bytes, rooms);
      if (giveBack === null) throw new Throttled(fullForSeconds);
      held.push(giveBack);
      if (reply.raw.destroyed) giveBack();
    };
    done(null, Readable.from(counted(payload, take)));
  };
}

/** Where the bytes of a request count: with its caller, and with everybody. */
export function roomsFor(request: FastifyRequest, trustedProxies: readonly AddressRange[]): Room[] {
  const address = strangerAddress(request, trustedProxies);
  return [
    { subject: 'all', most: most.process },
    ...(address === null ? [] : [{ subject: `from ${address}`, most: most.address }]),
  ];
}

/** Without a body, or with a small declared length, up to which the body is read. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= small;

/** An unread rest does not close the caller's connection, which still carries the answer. */
async function* counted(payload: Readable, take: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    take(chunk.length);
    yield chunk;
  }
}
