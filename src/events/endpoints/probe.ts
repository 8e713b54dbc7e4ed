import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/problem.ts';
import { type Attempt, callReceiver, type Receiver } from './call.ts';

const timeoutMs = 5_000;
const unavailable = 'The event URL is unavailable: it must answer 200 within 5 seconds.';

/** Sends a receiver a test event, like a delivery. Source: docs/contract.md, section 8. */
export function confirm(context: Context, receiver: Receiver): Promise<Attempt> {
  const { clock, newId } = context;
  const body = JSON.stringify({
    event_type: 'confirmation',
    payload: { type: 'confirmation' },
    timestamp: clock.now().getTime(),
  });
  return callReceiver(context, receiver, { id: newId(), body }, AbortSignal.timeout(timeoutMs));
}

/**
 * Refuses an address whose receiver does not answer. `secret` is the secret to be stored. Throws `Invalid` on
 * `webhook_url` without details, which would reveal our internal network to strangers.
 */
export async function probe(context: Context, url: string, secret: string): Promise<void> {
  const { status } = await confirm(context, { url, secrets: [secret] });
  if (status !== 200) throw invalid('webhook_url', unavailable);
}
