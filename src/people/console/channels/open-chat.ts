import type { Member } from '../../../access/auth/member.ts';
import { adapterFor } from '../../../channels/registry.ts';
import { actorOf } from '../../../clients/profiles/audit.ts';
import { chatOf } from '../../../messaging/chats/correspondent.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { normalizePhone } from '../../../platform/phone.ts';
import { invalid, messages, Refused } from '../../../platform/problem.ts';
import { loadOwnChannel } from './load.ts';
import { opensByPhone } from './present.ts';
import { ChatOpened, ChatOpening } from './schema.ts';

/** POST /console/api/channels/{uuid}/open-chat/: a chat with somebody who has not written yet, for a first text. */
export const openAChat = actionFor<Member>()({
  params: UuidParams,
  body: ChatOpening,
  response: ChatOpened,
  load: loadOwnChannel,
  handle: async ({ context, principal, loaded: channel, body: { phone_number } }) => {
    const adapter = adapterFor(channel.platform);
    if (!adapter || !opensByPhone(adapter)) throw new Refused('Clients of this messenger write first.');
    const phone = normalizePhone(phone_number);
    if (phone === null) throw invalid('phone_number', messages.phone);
    const chat = await chatOf(context, channel, { externalId: phone, phone }, actorOf(principal));
    return { chat: { uuid: chat.id } };
  },
});
