import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Check } from 'typebox/value';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { splitSettings } from '../../src/channels/connected/settings.ts';
import { type Platform, platforms } from '../../src/channels/contract/platforms.ts';
import { webhookSecret } from '../../src/channels/messengers/telegram/settings.ts';
import { adapterFor } from '../../src/channels/registry.ts';
import { createAttachment } from '../../src/messaging/attachments/create.ts';
import { addressOfUser, expiringHash, identityHash, uploaderOf } from '../../src/people/widget/rules.ts';
import type { Context } from '../../src/platform/context.ts';
import type { Patchbay } from '../harness.ts';
import { ask } from './ask.ts';
import type { Outside } from './furnish.ts';

/** For values in headers. */
export const inAscii = (name: string): string => name.replace(/\W/g, 'x');

export async function addChannels(
  context: Context,
  projectId: string,
  name: string,
  { webhookUrl, telegramRoot }: Outside,
) {
  const secret = `secret-of-${inAscii(name)}-${randomUUID()}`;
  const messenger = await addChannel(context, {
    projectId,
    platform: 'API_Messenger',
    name: `messenger-${name}`,
    settings: { webhook_url: webhookUrl, secret },
  });
  const botToken = `${projectId.slice(-6).replace(/\D/g, '7')}:bot-token-of-${inAscii(name)}-${randomUUID()}`;
  const telegram = await addChannel(context, {
    projectId,
    platform: 'Telegram',
    name: `telegram-${name}`,
    settings: { bot_token: botToken, api_root: telegramRoot },
  });
  const identitySecret = `identity-of-${name}-${randomUUID()}`;
  const widget = await addChannel(context, {
    projectId,
    platform: 'Widget',
    name: `widget-${name}`,
    settings: { identity_secret: identitySecret },
  });
  const spare = await addChannel(context, {
    projectId,
    platform: 'Widget',
    name: `spare-widget-${name}`,
    settings: {},
  });
  const keyed = await addChannel(context, {
    projectId,
    platform: 'Widget',
    name: `keyed-widget-${name}`,
    settings: { title: `title-${name}` },
  });
  return {
    spareChannelId: spare.id,
    keyedWidgetId: keyed.id,
    messenger: { id: messenger.id, secret, headers: { authorization: `Bearer ${secret}` } },
    telegram: {
      id: telegram.id,
      botToken,
      headers: { 'x-telegram-bot-api-secret-token': webhookSecret({ bot_token: botToken }) },
    },
    widget: {
      id: widget.id,
      identitySecret,
      userHash: identityHash(identitySecret, `user-${name}`),
      userExp: 4_102_444_800,
      passingHash: expiringHash(identitySecret, `user-${name}`, 4_102_444_800),
    },
  };
}

export type Channels = Awaited<ReturnType<typeof addChannels>>;

/** One chat on every platform: through the existing channels, and as rows for the rest. */
export async function addChats(
  patchbay: Patchbay,
  projectId: string,
  { name, digit, channels }: { name: string; digit: number; channels: Channels },
) {
  const { messenger, telegram, widget } = channels;
  const phone = `+1202555010${digit}`;
  const externalId = `client-${name}`;
  const chat = { external_id: externalId, name: `hush-${name} client`, phone, username: `client_${name}` };
  const client = await ask(patchbay, 'POST', `/channels/${messenger.id}/messages/`, messenger.headers, {
    chat,
    message: { external_id: `message-${name}`, type: 'text', text: `hush-${name} hello` },
  });
  const telegramId = 700_000 + digit;
  await ask(patchbay, 'POST', `/channels/${telegram.id}/`, telegram.headers, {
    update_id: 1,
    message: {
      message_id: digit + 10,
      chat: { id: telegramId, type: 'private', first_name: `hush-${name}`, username: `telegram_${name}` },
      text: `hush-${name} telegram`,
    },
  });
  const session = await openSession(patchbay, widget, `user-${name}`);
  await ask(patchbay, 'POST', `/widget/${widget.id}/messages/`, session, {
    echo_id: randomUUID(),
    text: `hush-${name} widget`,
  });
  const file = await createAttachment(patchbay.context, {
    uploader: 'member',
    projectId,
    name: `file-${name}.txt`,
    bytes: Readable.from([Buffer.from('a file')]),
    by: uploaderOf({ channelId: widget.id, address: addressOfUser(`user-${name}`) }),
  });
  const sparePhone = `+1202555011${digit}`;
  const spare = await ask(patchbay, 'POST', `/channels/${messenger.id}/messages/`, messenger.headers, {
    chat: { external_id: `spare-${name}`, phone: sparePhone },
    message: { external_id: `spare-message-${name}`, type: 'text', text: `hush-${name} spare` },
  });
  const profileExternalId = `profile-${name}`;
  await patchbay.context.sql`
    update profiles set external_id = ${profileExternalId}, email = ${`hush@${name}.test`},
      tags = array[${`tag-${name}`}] where id = ${String(client.profile_uuid)}`;
  const otherChats = await addOtherChats(patchbay.context, projectId, {
    name,
    digit,
    profileId: String(client.profile_uuid),
  });
  return {
    ...otherChats,
    phone,
    telegramId,
    externalId,
    profileExternalId,
    chatId: String(client.chat_uuid),
    profileId: String(client.profile_uuid),
    sparePhone,
    spareProfileId: String(spare.profile_uuid),
    attachmentId: file.uuid,
    fileToken: file.url.split('/').at(-2) ?? '',
    fileName: file.name,
    clientMessageId: String(client.message_uuid),
    visitor: session,
  };
}

export async function openSession(
  patchbay: Patchbay,
  { id, identitySecret }: { id: string; identitySecret: string },
  userId: string,
): Promise<{ authorization: string }> {
  const user = { id: userId, hash: identityHash(identitySecret, userId) };
  const { session } = await ask(patchbay, 'POST', `/widget/${id}/sessions/`, {}, { user });
  return { authorization: `Bearer ${session}` };
}

async function addOtherChats(
  { sql, vault, newId, clock }: Context,
  projectId: string,
  { name, digit, profileId }: { name: string; digit: number; profileId: string },
) {
  const now = clock.now();
  const made = new Map<string, { chat: string; address: string }>();
  for (const [index, platform] of platforms.entries()) {
    if (['API_Messenger', 'Telegram', 'Widget'].includes(platform)) continue;
    const [channelId, chatId] = [newId(), newId()];
    const address = `${800_000 + 100 * digit + index}`;
    const { open, secret } = settingsOf(platform, name, newId);
    await sql`
      with channel as (
        insert into channels (project_id, id, platform, name, settings, sealed_settings, created_at)
        values (${projectId}, ${channelId}, ${platform}, ${platform}, ${sql.json(open)},
          ${vault.seal(JSON.stringify(secret), `channel:${channelId}`)}, ${now})
      )
      insert into channel_pace (project_id, channel_id, tokens_at, resume_at, window_at)
      values (${projectId}, ${channelId}, ${now}, ${now}, ${now})`;
    await sql`
      insert into chats (project_id, id, channel_id, profile_id, platform, external_id, name, username, created_at,
        last_active_at)
      values (${projectId}, ${chatId}, ${channelId}, ${profileId}, ${platform}, ${address}, ${`hush-${name} ${platform}`},
        ${platform === 'Telegram_Personal' ? `personal_${name}` : null}, ${now}, ${now})`;
    made.set(platform, { chat: chatId, address });
  }
  return { other: (platform: string) => made.get(platform) ?? { chat: '', address: '' } };
}

/** Settings as a channel that was added has them: the required ones, and every secret. */
function settingsOf(platform: Platform, name: string, newId: () => string) {
  const schema = adapterFor(platform).settings;
  const wanted = Object.entries(schema.properties).filter(
    ([setting, property]) => 'secret' in property || schema.required.includes(setting),
  );
  const settings = wanted.map(([setting, property]) => {
    const unique = newId();
    const values = [unique, unique.replaceAll('-', ''), `smtp://${unique}.test`, `imap://${unique}.test`];
    const plain = ['shop', '79', 79, '+79990000079', `sales@${name}.test`];
    const value = ('secret' in property ? values : plain).find((one) => Check(property, one));
    if (value === undefined) throw new Error(`no test value for ${platform}'s ${setting}`);
    return [setting, value];
  });
  return splitSettings(schema, Object.fromEntries(settings));
}
