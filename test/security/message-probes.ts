import { randomUUID } from 'node:crypto';
import type { Furnished } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** Calls that send messages: the connector, push messages and the stream. */

export function connectorProbes(own: Furnished): Probe[] {
  const { name, chatId, operatorId, phone } = own;
  const event = (chat: object, rest: object): Probe =>
    probe('POST /api/partners/connector/', own.sharedToken, {
      body: {
        chat: { ...chat, variables: { order: 'seven' } },
        sender: { name: 'Olga', uuid: operatorId },
        timestamp: 1_763_640_000_000,
        ...rest,
      },
      once: 'message.external_id',
    });
  const message = (content: { type: string; url?: string; whatsapp_template?: object }) => ({
    event: 'message_created',
    message: { text: 'hello', external_id: `connector-${name}`, ...content },
  });
  const template = { template_id: `template-${name}`, template_variables: { order: 'seven' } };
  const chat = { uuid: chatId };
  return [
    event(chat, message({ type: 'text' })),
    event(chat, {
      ...message({ type: 'image', url: 'https://shop.test/a.png' }),
      sender: { uuid: operatorId },
    }),
    event(
      { uuid: own.other('Whatsapp').chat },
      message({ type: 'whatsapp_template', whatsapp_template: template }),
    ),
    event({ phone_number: phone }, message({ type: 'whatsapp_text' })),
    event({ username: `personal_${name}` }, message({ type: 'telegram_personal_text' })),
    event(chat, { event: 'note_created', note: { text: 'rude' } }),
    event({ phone_number: phone }, { event: 'note_created', note: { text: 'rude' } }),
    event(chat, { event: 'session_closed', session: { category_name: 'Sale', theme_name: 'Shoes' } }),
  ];
}

export function pushProbes(own: Furnished): Probe[] {
  const { name, token } = own;
  const key = { 'bot-key': own.botKey };
  const later = {
    campaign: { uuid: randomUUID(), name: 'autumn' },
    tag: 'later',
    is_force: true,
    launch_at: '2099-01-01T00:00:00Z',
  };
  const create = (body: object): Probe =>
    probe('POST /api/partners/push-messages/', key, { body: { ...later, ...body } });
  const queue = (type: string, payload: object): Probe =>
    probe('POST /api/partners/stream/', token, { body: { type, payload: { ...later, ...payload } } });
  const text = { content: { type: 'TEXT', text: 'hello' } };
  const node = { type: 'NODE', node: { name: `scenario-${name}` }, get_params: { order: 'seven' } };
  const template = {
    type: 'WHATSAPP_TEMPLATE',
    whatsapp_template: { pid: `template-${name}` },
    whatsapp_template_variables: { order: 'seven' },
  };
  const words = { tags: [`tag-${name}`], attrs: { [`attribute-${name}`]: 'blue' } };
  const one = { uuid: own.pushId };
  return [
    create({ ...text, chat: { uuid: own.chatId }, profile: { uuid: own.profileId, ...words } }),
    create({ ...text, chat: { telegram_id: own.telegramId } }),
    create({ ...text, chat: { telegram_username: `telegram_${name}` } }),
    create({ ...text, chat: { vkontakte_id: Number(own.other('Vkontakte').address) } }),
    create({ ...text, chat: { max_id: Number(own.other('Max').address) } }),
    create({ content: node, profile: { external_id: own.profileExternalId } }),
    create({ content: template, profile: { phone_number: own.phone } }),
    queue('priority_message', {
      ...text,
      chat: { uuid: own.chatId },
      profile: { uuid: own.profileId, ...words },
    }),
    queue('regular_message', { ...text, chat: { telegram_id: own.telegramId } }),
    queue('regular_message', { ...text, chat: { telegram_username: `telegram_${name}` } }),
    queue('regular_message', { ...text, chat: { vkontakte_id: Number(own.other('Vkontakte').address) } }),
    queue('regular_message', { ...text, chat: { max_id: Number(own.other('Max').address) } }),
    queue('regular_message', { content: node, profile: { external_id: own.profileExternalId } }),
    queue('regular_message', { content: template, profile: { phone_number: own.phone } }),
    probe('GET /api/partners/push-messages/', token, {
      query: {
        state: 'PENDING',
        chat: own.chatId,
        profile: own.profileId,
        campaign: `campaign-${name}`,
        tag: `push-${name}`,
        created_at__gte: '2026-01-01T00:00:00Z',
        created_at__lte: '2099-01-01T00:00:00Z',
        limit: '10',
        offset: '0',
      },
    }),
    probe('GET /api/partners/push-messages/:uuid/', key, { params: one }),
    probe('POST /api/partners/push-messages/:uuid/cancel/', key, { params: one }),
  ];
}
