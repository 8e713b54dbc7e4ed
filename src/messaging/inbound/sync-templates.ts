import { loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import { takeTemplates } from '../templates/take.ts';
import type { Hold } from './hold-channel.ts';
import { repeat } from './repeat.ts';

const everyMs = 600_000;

/** Brings the provider's templates to the project, now and every ten minutes, until the signal. */
export async function syncTemplates(hold: Hold): Promise<void> {
  await repeat(hold, 'the templates of a channel could not be read', async () =>
    (await readTemplates(hold)) ? everyMs : null,
  );
}

type Reading = Pick<Hold, 'context' | 'adapter' | 'channelId'>;

/** False where the channel has none. */
export async function readTemplates({ context, adapter, channelId }: Reading): Promise<boolean> {
  const channel = await loadChannel(context, channelId);
  if (!channel || !adapter.listTemplates) return false;
  const client = clientOf(context, adapter, channel, context.outbound);
  await takeTemplates(context, channel, await adapter.listTemplates(channel.settings, client));
  return true;
}
