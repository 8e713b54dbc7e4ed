import { loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import { takeTemplates } from '../templates/take.ts';
import type { Hold } from './hold-channel.ts';
import { repeat } from './repeat.ts';

const everyMs = 600_000;
/** The provider reports several changes one by one. */
const gatherMs = 1_000;

/** Imports the provider's templates now, after each change, and every ten minutes, until the signal. */
export async function syncTemplates(hold: Hold): Promise<void> {
  await repeat(hold, 'the templates of a channel could not be read', async () => {
    if (!(await readTemplates(hold))) return null;
    await changesOrRest(hold);
    return gatherMs;
  });
}

function changesOrRest({ context: { wake }, signal }: Hold): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      forget();
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const forget = wake.subscribe('templates', end);
    const timer = setTimeout(end, everyMs);
    signal.addEventListener('abort', end);
  });
}

type Reading = Pick<Hold, 'context' | 'adapter' | 'channelId'>;

/** False when the channel has no templates. */
export async function readTemplates({ context, adapter, channelId }: Reading): Promise<boolean> {
  const channel = await loadChannel(context, channelId);
  if (!channel || !adapter.listTemplates) return false;
  const client = clientOf(context, adapter, channel, context.outbound);
  await takeTemplates(context, channel, await adapter.listTemplates(channel.settings, client));
  return true;
}
