import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiMessenger } from '../../src/channels/messengers/api-messenger/adapter.ts';
import { autoRu } from '../../src/channels/messengers/auto-ru/adapter.ts';
import { avito } from '../../src/channels/messengers/avito/adapter.ts';
import { email } from '../../src/channels/messengers/email/adapter.ts';
import { facebook } from '../../src/channels/messengers/facebook/adapter.ts';
import { instagram } from '../../src/channels/messengers/instagram/adapter.ts';
import { max } from '../../src/channels/messengers/max/adapter.ts';
import { maxPersonal } from '../../src/channels/messengers/max-personal/adapter.ts';
import { odnoklassniki } from '../../src/channels/messengers/odnoklassniki/adapter.ts';
import { ozon } from '../../src/channels/messengers/ozon/adapter.ts';
import { telegram } from '../../src/channels/messengers/telegram/adapter.ts';
import { webhookSecret } from '../../src/channels/messengers/telegram/settings.ts';
import { telegramPersonal } from '../../src/channels/messengers/telegram-personal/adapter.ts';
import { viber } from '../../src/channels/messengers/viber/adapter.ts';
import { vkontakte } from '../../src/channels/messengers/vkontakte/adapter.ts';
import { whatsapp } from '../../src/channels/messengers/whatsapp/adapter.ts';
import { widget } from '../../src/channels/messengers/widget/adapter.ts';
import { adapters } from '../../src/channels/registry.ts';
import { signed } from '../../src/simulator/graph/graph.ts';
import { viberSignature } from '../../src/simulator/viber/provider.ts';
import { conforms } from './conformance.ts';

const conforming: { platform: string }[] = [
  apiMessenger,
  autoRu,
  avito,
  email,
  facebook,
  instagram,
  max,
  maxPersonal,
  odnoklassniki,
  ozon,
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

const bot = { access_token: 'f9LHod-token', secret: 'a-secret-of-this-bot' };

conforms(max, {
  settings: bot,
  inbound: {
    message: {
      update_type: 'message_created',
      timestamp: 1_749_416_383_000,
      message: {
        sender: { user_id: 777, first_name: 'Anna', is_bot: false },
        recipient: { chat_id: 100_500, chat_type: 'dialog' },
        body: { mid: 'mid.1', seq: 421, text: 'Hello' },
      },
    },
    prove: (_, { secret }) => ({ headers: { 'x-max-bot-api-secret': secret } }),
    other: { ...bot, secret: 'a-secret-of-another-bot' },
  },
  outbound: { sent: { status: 200, body: '{"message": {"body": {"mid": "mid.2"}}}' } },
});

const instance = { instance_id: '3100000001', api_token: 'token', webhook_token: 'token-of-this-instance' };

conforms(maxPersonal, {
  settings: instance,
  inbound: {
    message: {
      typeWebhook: 'incomingMessageReceived',
      idMessage: 1_763_115_112_345,
      senderData: { chatId: 10_000_000, senderPhoneNumber: 79_991_112_233 },
      messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'Hello' } },
    },
    prove: (_, { webhook_token }) => ({ headers: { authorization: `Bearer ${webhook_token}` } }),
    other: { ...instance, webhook_token: 'token-of-another-instance' },
  },
  outbound: { sent: { status: 200, body: '{"idMessage": "1763115112345"}' } },
});

conforms(odnoklassniki, {
  settings: { access_token: 'tkn1' },
  inbound: {
    message: {
      webhookType: 'MESSAGE_CREATED',
      sender: { user_id: 'user:123456789012' },
      recipient: { chat_id: 'chat:C3ecb9d02a600' },
      message: { mid: 'mid:C3.1', seq: 421, text: 'Hello' },
      timestamp: 1_498_581_292_941,
    },
  },
  outbound: { sent: { status: 200, body: '{"message_id": "mid:C3.2"}' } },
});

/** Nothing else than the secret in the address proves who calls these three. */
conforms(autoRu, {
  settings: { token: 'fh5GkT67' },
  inbound: {
    message: { sender: { id: 'a3bc21', name: 'ivan' }, message: { type: 'text', id: 4217, text: 'Hello' } },
  },
  outbound: { sent: { status: 200, body: '' } },
});

const chat_id = 'b646d975-0c9c-4872-9f41-8b1e57181063';

conforms(avito, {
  settings: { client_id: 'client', client_secret: 's3cret', user_id: '141906442' },
  inbound: {
    message: {
      id: 'h1',
      version: 'v3.0.0',
      payload: {
        type: 'message',
        value: { id: 'm1', chat_id, author_id: 94_235_311, type: 'text', content: { text: 'Hello' } },
      },
    },
  },
  outbound: { sent: { status: 200, body: '{"id": "m2"}' } },
});

conforms(ozon, {
  settings: { client_id: '7', api_key: 'the-api-key' },
  inbound: {
    message: {
      message_type: 'TYPE_NEW_MESSAGE',
      chat_id,
      message_id: 3_000_000,
      user: { id: '115568', type: 'Customer' },
      data: ['Hello'],
    },
  },
  outbound: { sent: { status: 200, body: '{"result": "success"}' } },
});
