import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiMessenger } from '../../src/channels/messengers/api-messenger/adapter.ts';
import { email } from '../../src/channels/messengers/email/adapter.ts';
import { facebook } from '../../src/channels/messengers/facebook/adapter.ts';
import { instagram } from '../../src/channels/messengers/instagram/adapter.ts';
import { telegram } from '../../src/channels/messengers/telegram/adapter.ts';
import { webhookSecret } from '../../src/channels/messengers/telegram/settings.ts';
import { telegramPersonal } from '../../src/channels/messengers/telegram-personal/adapter.ts';
import { viber } from '../../src/channels/messengers/viber/adapter.ts';
import { vkontakte } from '../../src/channels/messengers/vkontakte/adapter.ts';
import { whatsapp } from '../../src/channels/messengers/whatsapp/adapter.ts';
import { widget } from '../../src/channels/messengers/widget/adapter.ts';
import { adapters } from '../../src/channels/registry.ts';
import { signed } from '../stand-ins/graph.ts';
import { viberSignature } from '../stand-ins/viber.ts';
import { conforms } from './conformance.ts';

const conforming: { platform: string }[] = [
  apiMessenger,
  email,
  facebook,
  instagram,
  telegram,
  telegramPersonal,
  viber,
  vkontakte,
  whatsapp,
  widget,
];

test('every messenger that can be connected is held to the contract', () => {
  const names = (list: readonly { platform: string }[]) => list.map(({ platform }) => platform).sort();
  assert.deepEqual(names(conforming), names(adapters));
});

const messenger = { webhook_url: 'https://messenger.example/', secret: 'a secret of this channel' };

conforms(apiMessenger, {
  settings: messenger,
  inbound: {
    path: 'messages',
    message: {
      chat: { external_id: 'client-7' },
      message: { external_id: 'm-1', type: 'text', text: 'Hello' },
    },
    prove: (_, { secret }) => ({ headers: { authorization: `Bearer ${secret}` } }),
    other: { ...messenger, secret: 'a secret of another channel' },
  },
  outbound: { sent: { status: 200, body: '{"message_id": "7"}' }, anySuccess: true },
});

conforms(telegram, {
  settings: { bot_token: '1:this' },
  inbound: {
    message: {
      update_id: 5555,
      message: { message_id: 42, chat: { id: 777, type: 'private' }, date: 1_749_416_383, text: 'Hello' },
    },
    prove: (_, settings) => ({ headers: { 'x-telegram-bot-api-secret-token': webhookSecret(settings) } }),
    other: { bot_token: '2:other' },
  },
  outbound: { sent: { status: 200, body: '{"ok": true, "result": {"message_id": 7}}' } },
});

const account = {
  phone_number_id: '106540352242922',
  waba_id: '102290129340398',
  access_token: 'EAAG-token',
  app_secret: 'the secret of this app',
  verify_token: 'verify-me',
};

conforms(whatsapp, {
  settings: account,
  inbound: {
    message: {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: account.waba_id,
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { phone_number_id: account.phone_number_id },
                messages: [{ from: '16505551234', id: 'wamid.1', type: 'text', text: { body: 'Hello' } }],
              },
            },
          ],
        },
      ],
    },
    prove: (body, { app_secret }) => ({ headers: signed(app_secret, body) }),
    other: { ...account, app_secret: 'the secret of another app' },
  },
  outbound: { sent: { status: 200, body: '{"messages": [{"id": "wamid.2"}]}' } },
});

const app = { app_secret: 'the secret of this app', verify_token: 'verify-me' };
const otherApp = { ...app, app_secret: 'the secret of another app' };
const page = { page_access_token: 'EAAG-page', page_id: '102030405060708' };
const professional = { access_token: 'IGAA-token', account_id: '17841405309211844' };

/** A text, as the Messenger Platform and Instagram post it. */
const textTo = (id: string) => ({
  entry: [
    {
      id,
      time: 1_569_262_486_134,
      messaging: [{ sender: { id: '654321' }, recipient: { id }, message: { mid: 'm_1', text: 'Hello' } }],
    },
  ],
});

conforms(facebook, {
  settings: { ...page, ...app },
  inbound: {
    message: { object: 'page', ...textTo(page.page_id) },
    prove: (body, { app_secret }) => ({ headers: signed(app_secret, body) }),
    other: { ...page, ...otherApp },
  },
  outbound: { sent: { status: 200, body: '{"recipient_id": "777", "message_id": "m_2"}' } },
});

conforms(instagram, {
  settings: { ...professional, ...app },
  inbound: {
    message: { object: 'instagram', ...textTo(professional.account_id) },
    prove: (body, { app_secret }) => ({ headers: signed(app_secret, body) }),
    other: { ...professional, ...otherApp },
  },
  outbound: { sent: { status: 200, body: '{"recipient_id": "777", "message_id": "aWdf"}' } },
});

conforms(viber, {
  settings: { auth_token: 'the token of this bot', sender_name: 'Shop' },
  inbound: {
    message: {
      event: 'message',
      timestamp: 1_457_764_197_627,
      message_token: 4_912_661_846,
      sender: { id: '01234567890A=', name: 'Olga' },
      message: { type: 'text', text: 'Hello' },
    },
    prove: (body, { auth_token }) => ({ headers: viberSignature(auth_token, body) }),
    other: { auth_token: 'the token of another bot', sender_name: 'Shop' },
  },
  outbound: { sent: { status: 200, body: '{"status": 0, "status_message": "ok", "message_token": 7}' } },
});

const community = { access_token: 'vk1.a.token', group_id: '12345', secret: 's3cret', confirmation: 'code' };

conforms(vkontakte, {
  settings: community,
  inbound: {
    message: {
      type: 'message_new',
      group_id: 12_345,
      event_id: 'e1',
      object: { message: { id: 421, from_id: 777, peer_id: 777, text: 'Hello' } },
    },
    // The secret stands in the body, which is what is left of it where it is no object.
    prove: (body, { secret }) => ({ body: body.replace(/^\{/, `{"secret":${JSON.stringify(secret)},`) }),
    other: { ...community, secret: 'another' },
  },
  outbound: { sent: { status: 200, body: '{"response": 7}' } },
});

/** It speaks SMTP and IMAP, and no HTTP that could be answered in its place. */
conforms(email, { settings: { from: 'shop@shop.example', smtp_url: 'smtp://shop.example:587' } });

/** It speaks MTProto over a connection of its own. */
conforms(telegramPersonal, { settings: { api_id: 1, api_hash: '0'.repeat(32), phone: '+79991234567' } });

conforms(widget, { settings: {} });
