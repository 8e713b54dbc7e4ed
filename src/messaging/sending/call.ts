import type { Channel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import type { Adapter, OutgoingMessage, Sender, SendResult } from '../../channels/contract/adapter.ts';
import { overLimit } from '../../channels/contract/limits.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { onAbort } from '../../platform/on-abort.ts';
import { outboundUntil } from '../../platform/outbound/outbound.ts';
import { outboundWithFiles } from '../attachments/own-files.ts';

type Needs = Pick<Context, 'sql' | 'vault' | 'config' | 'outbound' | 'clock' | 'log'>;

const unanswered = (mayHaveBeenSent: boolean): SendResult => ({
  sent: false,
  error: { code: 'temporary', mayHaveBeenSent, detail: 'There was no answer in time.' },
});

/**
 * Calls a channel's adapter to send, and never throws. There is a result at the deadline, whatever the adapter does.
 * @param connected sends through the connection that this process holds
 */
export async function call(
  context: Needs,
  channel: Channel,
  message: OutgoingMessage,
  deadline: AbortSignal,
  connected?: Sender,
): Promise<SendResult> {
  const adapter = adapterFor(channel.platform);
  if (!adapter.carries.includes(message.type)) return { sent: false, error: { code: 'unsupported' } };
  const over = overLimit(adapter.limits, message);
  if (over) return { sent: false, error: { code: 'bad_content', detail: over } };
  const send = adapter.send ? throughClient(context, adapter, channel, deadline) : connected;
  if (!send || deadline.aborted) return unanswered(false);
  try {
    return await inTime(send(message, { now: context.clock.now(), deadline }), deadline);
  } catch (error) {
    context.log.error(
      { err: error, channel: channel.id, message: message.uuid },
      'sending: the adapter failed',
    );
    return { sent: false, error: { code: 'temporary', mayHaveBeenSent: true } };
  }
}

/** The bytes of a file stay in memory until its message is sent. */
function throughClient(
  context: Needs,
  adapter: Adapter,
  channel: Channel,
  deadline: AbortSignal,
): Sender | undefined {
  const send = adapter.send?.bind(adapter);
  return (
    send &&
    (async (message, attempt) => {
      const { promise: until, resolve: end } = Promise.withResolvers<void>();
      const outbound = outboundUntil(outboundWithFiles(context, channel.projectId), deadline);
      const client = clientOf(context, adapter, channel, outbound, until);
      try {
        return await send(message, channel.settings, client, attempt);
      } finally {
        end();
      }
    })
  );
}

/** The adapter sees the deadline first, because it knows best whether anything was sent. */
function inTime(answer: Promise<SendResult>, deadline: AbortSignal): Promise<SendResult> {
  return new Promise((resolve, reject) => {
    const giveUp = () => setImmediate(() => resolve(unanswered(true)));
    const release = onAbort(deadline, giveUp);
    answer.then(resolve, reject).finally(release);
  });
}
