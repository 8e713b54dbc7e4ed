import type { Context } from '../context.ts';
import { OutboundFailed, OutboundRefused } from '../lib/outbound.ts';
import { invalid } from '../lib/problem.ts';
import { signWebhook } from '../lib/signature.ts';

const timeoutMs = 5_000;
const unavailable = 'The event URL is unavailable: it must answer 200 within 5 seconds.';

/**
 * Asks a receiver whether it is there, as a delivery would, signed with the secret that is to be stored. Throws
 * `Invalid` on `webhook_url`, and does not say more: it would tell strangers what our network looks like inside.
 * Source: specification, "Endpoints", 4; open points, section 8.
 */
export async function probe(context: Context, url: string, secret: string): Promise<void> {
  const { clock, newId } = context;
  const timestamp = clock.now();
  const body = JSON.stringify({
    event_type: 'confirmation',
    payload: { type: 'confirmation' },
    timestamp: timestamp.getTime(),
  });
  const signature = signWebhook({ id: newId(), timestamp, body, secrets: [secret] });
  const status = await statusOf(context, url, body, signature);
  if (status !== 200) throw invalid('webhook_url', unavailable);
}

async function statusOf(
  { outbound }: Context,
  url: string,
  body: string,
  signature: Record<string, string>,
): Promise<number | null> {
  try {
    const { status } = await outbound.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Patchbay', ...signature },
      body,
      timeoutMs,
      maxResponseBytes: 1024,
    });
    return status;
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof OutboundRefused) return null;
    throw error;
  }
}
