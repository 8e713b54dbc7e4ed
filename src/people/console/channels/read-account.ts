import type { Member } from '../../../access/auth/member.ts';
import { accountOf, givenValues } from '../../../channels/connected/check.ts';
import { adapterFor } from '../../../channels/registry.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { NotFound } from '../../../platform/problem.ts';
import { limitChecks } from './limit-checks.ts';
import { loadOwnChannel } from './load.ts';
import { presentAccount } from './present.ts';
import { ChannelAccount } from './schema.ts';

/** GET /console/api/channels/{uuid}/account/: how to write to the channel, and what its provider must be given. */
export const readAccountOf = actionFor<Member>()({
  line: 'foreign',
  params: UuidParams,
  response: ChannelAccount,
  load: loadOwnChannel,
  handle: async ({ context, principal, loaded: channel }) => {
    const adapter = adapterFor(channel.platform);
    if (!adapter) throw new NotFound();
    await limitChecks(context, principal);
    const found = await accountOf(context, adapter, channel);
    return presentAccount(adapter, found, givenValues(context.config.publicUrl, channel));
  },
});
