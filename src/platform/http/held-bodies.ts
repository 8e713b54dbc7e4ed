import { Readable } from 'node:stream';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { AddressRange } from '../config.ts';
import type { Places, Room } from '../places.ts';
import { Throttled } from '../problem.ts';
import { callerAddress, strangerAddress } from './caller-address.ts';
import { largeBodiesInTurn } from './large-bodies.ts';

const mebibyte = 1024 * 1024;

/**
 * The limits on bytes held at the same time in one process: those of one caller, which is an address, or the programs,
 * the people, the visitors or the messengers of a project, and those of all.
 */
export type Held = { caller: number; process: number };

/** Four and sixteen of the largest body of a partner. */
const most: Held = { caller: 64 * mebibyte, process: 256 * mebibyte };

/** While a body is worked on, its text and its values are there several times. */
const costOfByte = 8;

/** What a process with this heap can hold. Node ends when the heap is full. */
export const heldIn = (heapBytes: number): Held => {
  const process = Math.min(most.process, Math.floor(heapBytes / costOfByte));
  return { caller: Math.min(most.caller, Math.floor(process / 2)), process };
};

export const fullForSeconds = 5;

/** As much as a connection costs anyway. Smaller bodies do not count. */
const small = 16 * 1024;

/**
 * Limits the memory for bodies that are still arriving: unfinished bodies could fill it before their timeout. Counts
 * received bytes, and throws `Throttled` when no room is left. Large bodies then take turns. Streamed bodies are not
 * held.
 */
export function holdBodies(
  places: Places,
  trustedProxies: readonly AddressRange[],
  held: Held,
  log: Logger,
): preParsingHookHandler {
  const tell = tellFull(log, held);
  const inTurn = largeBodiesInTurn();
  return (request, reply, payload, done) => {
    if (isSmall(request) || request.admitted?.bodyKind === 'stream') return void done(null, payload);
    const rooms = roomsFor(request, trustedProxies, held);
    const owner = request.admitted?.owner ?? `from ${callerAddress(request, trustedProxies)}`;
    const taken: (() => void)[] = [];
    reply.raw.once('close', () => {
      for (const giveBack of taken) giveBack();
    });
    const take = (bytes: number): void => {
      const giveBack = places.take(bytes, rooms);
      if (giveBack === null) {
        tell();
        throw new Throttled(fullForSeconds);
      }
      taken.push(giveBack);
      if (reply.raw.destroyed) giveBack();
    };
    const whole = (bytes: number) => (bytes > small ? inTurn(owner, bytes, reply) : Promise.resolve());
    const body = Readable.from(counted(payload, take, whole));
    // Nobody reads the rest of a body that is too large. An error that nobody hears would end the process.
    body.on('error', ignore);
    done(null, body);
  };
}

const ignore = (): void => {};

const tellEveryMs = 60_000;

/** A line a minute, and not one for each request. */
function tellFull(log: Logger, { process }: Held): () => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    const heldMb = Math.floor(process / mebibyte);
    log.warn({ heldMb }, 'large bodies are refused with 429: those that arrived fill the memory for them');
  };
}

/** Where the bytes of a request count: with everybody, its address and its project. */
export function roomsFor(
  request: FastifyRequest,
  trustedProxies: readonly AddressRange[],
  held: Held,
): Room[] {
  const address = strangerAddress(request, trustedProxies);
  const owner = request.admitted?.owner ?? null;
  return [
    { subject: 'all', most: held.process },
    ...(address === null ? [] : [{ subject: `from ${address}`, most: held.caller }]),
    ...(owner === null ? [] : [{ subject: owner, most: held.caller }]),
  ];
}

/** Without a body, or with a small declared length, up to which the body is read. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= small;

/**
 * The body ends once `whole` resolves. An unread rest does not close the caller's connection, which still carries the
 * answer.
 */
async function* counted(
  payload: Readable,
  take: (bytes: number) => void,
  whole: (bytes: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    take(chunk.length);
    bytes += chunk.length;
    yield chunk;
  }
  await whole(bytes);
}
