import type { Channel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import type { OutgoingMessage, SendResult } from '../../channels/contract/adapter.ts';
import { overLimit } from '../../channels/contract/limits.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { outboundUntil } from '../../platform/outbound/outbound.ts';

const unanswered = (mayHaveBeenSent: boolean): SendResult => ({
  sent: false,
  error: { code: 'temporary', mayHaveBeenSent, detail: 'There was no answer in time.' },
});

/** Asks a channel's adapter to send, and never throws. At the deadline there is a result, whatever the adapter does. */
export async function call(
  context: Pick<Context, 'sql' | 'vault' | 'outbound' | 'clock' | 'log'>,
  channel: Channel,
  message: OutgoingMessage,
  deadline: AbortSignal,
): Promise<SendResult> {
  const { outbound, clock, log } = context;
  const { id, platform, settings } = channel;
  const adapter = adapterFor(platform);
  if (!adapter?.send || !adapter.carries.includes(message.type)) {
    return { sent: false, error: { code: 'unsupported' } };
  }
  const over = overLimit(adapter.limits, message);
  if (over) return { sent: false, error: { code: 'bad_content', detail: over } };
  if (deadline.aborted) return unanswered(false);
  const attempt = { now: clock.now(), deadline };
  try {
    const client = clientOf(context, channel, outboundUntil(outbound, deadline));
    const answer = adapter.send(message, settings, client, attempt);
    return await inTime(answer, deadline);
  } catch (error) {
    log.error({ err: error, channel: id, message: message.uuid }, 'sending: the adapter failed');
    return { sent: false, error: { code: 'temporary', mayHaveBeenSent: true } };
  }
}

/** The adapter hears of the deadline first: it knows best whether anything was sent. */
function inTime(answer: Promise<SendResult>, deadline: AbortSignal): Promise<SendResult> {
  return new Promise((resolve, reject) => {
    const giveUp = () => setImmediate(() => resolve(unanswered(true)));
    deadline.addEventListener('abort', giveUp);
    answer.then(resolve, reject).finally(() => deadline.removeEventListener('abort', giveUp));
  });
}
