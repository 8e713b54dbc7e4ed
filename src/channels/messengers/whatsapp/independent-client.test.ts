import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WhatsAppAPI } from 'whatsapp-api-js';
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Document,
  Header,
  HeaderComponent,
  HeaderParameter,
  Image,
  Interactive,
  ListSection,
  Row,
  Template,
  Text,
} from 'whatsapp-api-js/messages';
import type { ClientMessage } from 'whatsapp-api-js/types';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { signed } from '../../../simulator/graph/graph.ts';
import { notification, startWhatsapp } from '../../../simulator/whatsapp/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { whatsapp } from './adapter.ts';

/** A client of the Cloud API by other authors, so that we do not only test our own reading of it. */

const account = {
  phone_number_id: '106540352242922',
  waba_id: '102290129340398',
  access_token: 'a-token',
  app_secret: 'app-secret',
  verify_token: 'verify-me',
};

const url = 'https://shop.example/price.pdf';
const yes = { text: 'Yes', payload: 'yes' };
const many = Array.from({ length: 4 }, (_, place) => ({ text: `Size ${place}`, payload: `${place}` }));

const both: [what: string, ours: Partial<OutgoingMessage>, theirs: ClientMessage][] = [
  ['a text', { text: 'Hello' }, new Text('Hello', true)],
  ['a picture', { type: 'image', url, text: 'Look' }, new Image(url, false, 'Look')],
  ['a document', { type: 'document', url, text: 'Prices' }, new Document(url, false, 'Prices', 'price.pdf')],
  [
    'replies under a picture',
    { type: 'image', url, text: 'Yes?', buttons: [yes] },
    new Interactive(
      new ActionButtons(new Button('yes', 'Yes')),
      new Body('Yes?'),
      new Header(new Image(url, false)),
    ),
  ],
  [
    'a link',
    { text: 'See', buttons: [{ text: 'Shop', url: 'https://shop.example/' }] },
    new Interactive(new ActionCTA('Shop', 'https://shop.example/'), new Body('See')),
  ],
  [
    'a list',
    { text: 'Which?', buttons: many },
    new Interactive(
      new ActionList(
        '☰',
        new ListSection(
          undefined,
          new Row('0', 'Size 0'),
          new Row('1', 'Size 1'),
          new Row('2', 'Size 2'),
          new Row('3', 'Size 3'),
        ),
      ),
      new Body('Which?'),
    ),
  ],
  [
    'a template',
    {
      type: 'template',
      template: { name: 'order', language: 'ru', variables: [{ name: '1', value: 'A-1' }] },
    },
    new Template('order', 'ru', new BodyComponent(new BodyParameter('A-1'))),
  ],
  [
    'a template with values in its header',
    {
      type: 'template',
      template: { name: 'order', language: 'ru', variables: [{ name: 'header.1', value: 'A-1' }] },
    },
    new Template('order', 'ru', new HeaderComponent(new HeaderParameter('A-1'))),
  ],
  [
    'a template with a document',
    {
      type: 'template',
      template: { name: 'order', language: 'ru', variables: [{ name: 'media.document', value: url }] },
    },
    new Template(
      'order',
      'ru',
      new HeaderComponent(new HeaderParameter(new Document(url, false, undefined, 'price.pdf'))),
    ),
  ],
];

for (const [what, ours, theirs] of both) {
  test(`${what} is the same message as that of whatsapp-api-js`, async (t) => {
    const meta = await startWhatsapp(t, account);
    meta.templates.push({ name: 'order', language: 'ru', status: 'APPROVED', components: [] });
    const other = new WhatsAppAPI({
      token: account.access_token,
      appSecret: account.app_secret,
      v: 'v25.0',
      ponyfill: {
        fetch: (address, options) =>
          fetch(String(address).replace('https://graph.facebook.com', meta.root), options),
      },
    });
    const message = {
      uuid: '01990000-0000-7000-8000-000000000001',
      type: 'text' as const,
      text: '',
      url: null,
      buttons: [],
      chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '+79991234567' },
      ...ours,
    };
    const attempt = { now: new Date(), deadline: new AbortController().signal };
    const settings = { ...account, api_root: meta.root };
    const sent = await whatsapp.send?.(message, settings, clientOver(testOutbound(t)), attempt);
    assert.partialDeepStrictEqual(sent, { sent: true });
    const answer = await other.sendMessage(account.phone_number_id, '79991234567', theirs, '', message.uuid);
    assert.ok('messages' in answer);
    // Theirs may name a default too.
    assert.partialDeepStrictEqual(meta.sent[1]?.body, meta.sent[0]?.body);
  });
}

test('whatsapp-api-js reads the notifications of our stand-in, and believes their signature', async () => {
  const other = new WhatsAppAPI({ token: 't', appSecret: account.app_secret, v: 'v25.0' });
  const heard: unknown[] = [];
  other.on.message = ({ from, name, message }) => void heard.push([from, name, message.type]);
  const value = {
    metadata: { phone_number_id: account.phone_number_id },
    contacts: [{ wa_id: '79991234567', profile: { name: 'Ann' } }],
    messages: [{ from: '79991234567', id: 'wamid.1', type: 'text', text: { body: 'Привет' } }],
  };
  const body = notification(account.waba_id, { field: 'messages', value });
  const { 'x-hub-signature-256': signature = '' } = { ...signed(account.app_secret, body) };
  await other.post(JSON.parse(body), body, signature);
  assert.deepEqual(heard, [['79991234567', 'Ann', 'text']]);
  await assert.rejects(other.post(JSON.parse(body), `${body} `, signature));
});
