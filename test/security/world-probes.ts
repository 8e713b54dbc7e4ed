import { randomUUID } from 'node:crypto';
import { inConsole } from './console-probes.ts';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** Public routes: for providers, for visitors of widgets, and for every reader of a page. */

export function providerProbes(own: Furnished): Probe[] {
  const { name, messenger, telegram, telegramId } = own;
  const call = (path: string, body: object): Probe =>
    probe('POST /channels/:uuid/:first/', messenger.headers, {
      params: { uuid: messenger.id, first: path },
      body,
      once: 'message.external_id',
    });
  const chat = { external_id: own.externalId, name: 'Ann', phone: own.phone, username: `client_${name}` };
  const message = { external_id: `message-${name}`, type: 'button', text: 'hi', payload: 'yes' };
  const user = { id: telegramId, first_name: 'Ann', last_name: 'Lee', username: `telegram_${name}` };
  const talk = { ...user, type: 'private' };
  const photo = { photo: [{ file_id: 'AgACAgIAAx' }], caption: 'look' };
  const contact = { phone_number: own.phone, first_name: 'Ann', last_name: 'Lee', user_id: telegramId };
  const update = (body: object, once?: string): Probe =>
    probe('POST /channels/:uuid/', telegram.headers, {
      params: { uuid: telegram.id },
      body: { update_id: 2, ...body },
      once,
    });
  const unknown = { uuid: messenger.id, first: 'messages', second: 'more' };
  const ofNoMessenger = [
    'GET /channels/:uuid/',
    'GET /channels/:uuid/:first/',
    'GET /channels/:uuid/:first/:second/',
  ];
  return [
    ...ofNoMessenger.map((route) => probe(route, {}, { params: unknown })),
    probe('POST /channels/:uuid/:first/:second/', {}, { params: unknown, body: {} }),
    call('messages', { chat, message: { ...message, url: 'https://shop.test/a.png' } }),
    call('receipts', { message: { uuid: own.connectorMessageId }, state: 'delivered', detail: 'seen' }),
    call('stopped', { chat: { external_id: own.externalId } }),
    update({ message: { message_id: 30, chat: talk, from: user, text: 'hello' } }, 'message.message_id'),
    update({ message: { message_id: 31, chat: talk, from: user, contact } }, 'message.message_id'),
    update({ message: { message_id: 32, chat: talk, from: user, ...photo } }, 'message.message_id'),
    update(
      { callback_query: { id: `press-${name}`, from: user, data: 'yes', message: { chat: talk } } },
      'callback_query.id',
    ),
    update({ my_chat_member: { chat: talk, new_chat_member: { status: 'kicked' } } }),
  ];
}

export function widgetProbes(own: Furnished): Probe[] {
  const { name, widget, visitor, clientMessageId } = own;
  const params = { channel: widget.id };
  const place = `1763640000000.${clientMessageId}`;
  const pressed = { echo_id: randomUUID(), type: 'button', text: 'Yes', payload: 'yes' };
  return [
    probe('POST /widget/:channel/sessions/', {}, { params, body: {} }),
    probe(
      'POST /widget/:channel/sessions/',
      {},
      {
        params,
        body: { user: { id: `user-${name}`, hash: widget.userHash, name: 'Ann' } },
      },
    ),
    probe(
      'POST /widget/:channel/sessions/',
      {},
      {
        params,
        body: { user: { id: `user-${name}`, hash: widget.passingHash, exp: widget.userExp } },
      },
    ),
    probe('GET /widget/:channel/messages/', visitor, { params, query: { before: place } }),
    probe('POST /widget/:channel/messages/', visitor, { params, body: pressed, once: 'echo_id' }),
    probe('POST /widget/:channel/messages/', visitor, {
      params,
      body: { echo_id: randomUUID(), text: 'look', attachment: own.attachmentId },
      once: 'echo_id',
    }),
    probe('POST /widget/:channel/attachments/', visitor, { params, body: [] }),
    probe('GET /widget/:channel/look/', {}, { params }),
    probe('GET /files/:token/:name', {}, { params: { token: own.fileToken, name: own.fileName } }),
    probe('POST /console/api/widgets/:uuid/identity-secret/', inConsole(own), {
      params: { uuid: own.keyedWidgetId },
    }),
    probe('POST /widget/:channel/receipts/', visitor, {
      params,
      body: { state: 'read', messages: [clientMessageId] },
    }),
    probe('GET /widget/:channel/live/', visitor, { params, query: { since: '1763640000000' } }),
  ];
}

export const pageProbes = (version: string): Probe[] => [
  ...['/healthz', '/readyz', '/widget.js', '/site.css', '/demo/', '/demo/demo.js', '/demo/demo.css'].map(
    (path) => probe(`GET ${path}`),
  ),
  probe('GET /demo/last-answer/'),
  probe('GET /widget-files/:version/:file', {}, { params: { version, file: 'widget.js' } }),
];
