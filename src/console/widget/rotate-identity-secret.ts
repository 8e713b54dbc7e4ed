import type { Member } from '../../auth/member.ts';
import type { Context } from '../../context.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { randomToken } from '../../lib/secret.ts';
import { type Channel, changeChannel } from '../../projects/channels.ts';
import { loadOwnChannel } from '../channels/load.ts';
import { IdentitySecret } from './schema.ts';

async function loadOwnWidget(
  context: Context,
  member: Member,
  params: { uuid: string },
): Promise<Channel | undefined> {
  const channel = await loadOwnChannel(context, member, params);
  return channel?.platform === 'Widget' ? channel : undefined;
}

/** POST /console/api/widgets/{uuid}/identity-secret/: a new key for the pages that vouch for their users. The old one is worth nothing from now on. */
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
