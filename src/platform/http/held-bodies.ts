import { Readable } from 'node:stream';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import type { AddressRange } from '../config.ts';
import type { Places } from '../places.ts';
import { Throttled } from '../problem.ts';
import { strangerAddress } from './caller-address.ts';

const mebibyte = 1024 * 1024;

/** Bytes of bodies that are held at the same time, in one process: so many of the largest size four and sixteen times. */
const most = { address: 64 * mebibyte, process: 256 * mebibyte };
const fullForSeconds = 5;

/** As much as a connection costs anyway. What is smaller than this is not counted. */
const small = 16 * 1024;

/**
 * Holds the bodies that have begun to arrive to what the memory has room for: somebody who sends many and ends none would
 * fill it before their time is over. Counts what has come, and throws `Throttled` where there is no room for more. What is
 * read as it comes is not held.
 */
export function holdBodies(places: Places, trustedProxies: readonly AddressRange[]): preParsingHookHandler {
  return (request, reply, payload, done) => {
    if (isSmall(request) || request.admitted?.bodyKind === 'stream') return void done(null, payload);
    const address = strangerAddress(request, trustedProxies);
    const rooms = [
      { subject: 'all', most: most.process },
      ...(address === null ? [] : [{ subject: `from ${address}`, most: most.address }]),
    ];
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

/** Without a body, or with one that says that it is small: it is read no further. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= small;

/** What is left unread does not cost the caller the connection, on which the answer comes. */
async function* counted(payload: Readable, take: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    take(chunk.length);
    yield chunk;
  }
}
