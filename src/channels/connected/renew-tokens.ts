import type { Context } from '../../platform/context.ts';
import { adapterFor } from '../registry.ts';
import { type Channel, listChannels } from './channels.ts';
import { clientOf } from './client.ts';
import { visitChannels } from './visit-channels.ts';

/** Renews the access tokens that are due. A channel without messages would otherwise let its token lapse. */
export async function renewTokens(context: Context): Promise<void> {
  const { open } = await listChannels(context);
  await visitChannels(open, (channel) => renewToken(context, channel));
}

async function renewToken(context: Context, channel: Channel): Promise<void> {
  const adapter = adapterFor(channel.platform);
  if (!adapter.token || channel.state !== 'active') return;
  await clientOf(context, adapter, channel, context.outbound)
    .token()
    .catch((error: unknown) =>
      context.log.error({ err: error, channel: channel.id }, 'the access token was not renewed'),
    );
}
