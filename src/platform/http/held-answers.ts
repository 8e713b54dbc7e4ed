import type { onSendHookHandler } from 'fastify';
import type { AddressRange } from '../config.ts';
import type { Places } from '../places.ts';
import { Throttled } from '../problem.ts';
import { fullForSeconds, type Held, roomsFor } from './held-bodies.ts';

/** Smaller answers are not counted. The kernel holds that much of a connection anyway. */
const small = 64 * 1024;

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
    if (typeof payload !== 'string' || payload.length <= small) return void done(null, payload);
    // Node sets three bytes aside for each character of a text that waits.
    const bytes = Buffer.from(payload);
    const giveBack = places.take(bytes.length, roomsFor(request, trustedProxies, held));
    if (giveBack === null && request.method === 'GET') return void done(new Throttled(fullForSeconds));
    if (giveBack !== null) {
      reply.raw.once('close', giveBack);
      if (reply.raw.destroyed) giveBack();
    }
    done(null, bytes);
  };
}
