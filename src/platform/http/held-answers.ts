import type { FastifyReply, onSendHookHandler } from 'fastify';
import type { AddressRange } from '../config.ts';
import type { Places } from '../places.ts';
import { Throttled } from '../problem.ts';
import { fullForSeconds, type Held, roomsFor } from './held-bodies.ts';

/** Smaller answers are not counted. The kernel holds that much of a connection anyway. */
const small = 64 * 1024;

const jsonType = 'application/json';

/**
 * Limits the answers that wait to be read. A client that asks for many large ones and reads none would fill the memory.
 * Throws `Throttled` if there is no room for one more. An answer to a change is not refused: the change is made.
 */
export function holdAnswers(
  places: Places,
  trustedProxies: readonly AddressRange[],
  held: Held,
): onSendHookHandler {
  return (request, reply, payload, done) => {
    const bytes = largeBytes(payload, reply);
    if (bytes === null) return void done(null, payload);
    const giveBack = places.take(bytes.length, roomsFor(request, trustedProxies, held));
    if (giveBack === null && request.method === 'GET') return void done(new Throttled(fullForSeconds));
    if (giveBack !== null) {
      reply.raw.once('close', giveBack);
      if (reply.raw.destroyed) giveBack();
    }
    done(null, bytes);
  };
}

/** An answer that was made for its reader. Our own files are in memory once, for all readers. */
function largeBytes(payload: unknown, reply: FastifyReply): Buffer | null {
  const isPage = Buffer.isBuffer(payload) && String(reply.getHeader('content-type')).startsWith(jsonType);
  if (isPage) return payload.length > small ? payload : null;
  // Node sets three bytes aside for each character of a text that waits.
  return typeof payload === 'string' && payload.length > small ? Buffer.from(payload) : null;
}
