import type { Member } from '../../../access/auth/member.ts';
import { type Channel, changeChannel } from '../../../channels/connected/channels.ts';
import { widgetPlatform } from '../../../channels/messengers/widget/capabilities.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { randomToken } from '../../../platform/secrets/secret.ts';
import { loadOwnChannel } from '../channels/load.ts';
import { IdentitySecret } from './schema.ts';

async function loadOwnWidget(
  context: Context,
  member: Member,
  params: { uuid: string },
): Promise<Channel | undefined> {
  const channel = await loadOwnChannel(context, member, params);
  return channel?.platform === widgetPlatform ? channel : undefined;
}

/**
 * POST /console/api/widgets/{uuid}/identity-secret/: a new key for pages that sign their users' identities. The old
 * one is invalid from now on.
 */
export const rotateIdentitySecret = actionFor<Member>()({
  params: UuidParams,
  response: IdentitySecret,
  load: loadOwnWidget,
  handle: async ({ context, loaded }) => {
    const secret = randomToken();
    await changeChannel(context, loaded, { settings: { identity_secret: secret } });
    return { secret };
  },
});
