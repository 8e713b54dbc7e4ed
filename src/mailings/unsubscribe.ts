import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  type ChatName,
  findSubscription,
  subscribeAgain,
  unsubscribe,
} from '../messaging/chats/unsubscribe-store.ts';
import { unsubscribeTokens } from '../messaging/chats/unsubscribe-token.ts';
import { smallAscii } from '../platform/ascii.ts';
import type { Context } from '../platform/context.ts';
import { openAction } from '../platform/http/action.ts';
import { cardTemplate, sendCard } from '../platform/http/card.ts';
import { RawBytes } from '../platform/http/fields.ts';
import { NotFound } from '../platform/problem.ts';

const params = Type.Object({ token: Type.String() });

/**
 * GET /u/{token}/: asks the client whether to end mailings. It changes nothing: mail programs fetch addresses by
 * themselves.
 */
export function showSubscription({ config }: Pick<Context, 'config'>) {
  const chatOf = chatReader(config.secretKey);
  return openAction({
    params,
    handle: ({ context, params: { token }, request, reply }) =>
      sendSubscription(context, chatOf(token), request, reply),
  });
}

/** The field of the form by which a client subscribes again. */
const AGAIN = 'again';

/**
 * POST /u/{token}/: the client unsubscribes from mailings, by the page or by the mail program's button. The program
 * sends no cookie and may send any form (RFC 8058). It works as long as the chat exists.
 */
export function changeSubscription({ config }: Pick<Context, 'config'>) {
  const chatOf = chatReader(config.secretKey);
  return openAction({
    params,
    body: RawBytes,
    handle: async ({ context, params: { token }, body, request, reply }) => {
      const { sql, clock } = context;
      const chat = chatOf(token);
      const isBack = new URLSearchParams(body.toString('latin1')).has(AGAIN);
      if (isBack) await subscribeAgain(sql, chat);
      else await unsubscribe(sql, chat, clock.now());
      return sendSubscription(context, chat, request, reply);
    },
  });
}

function chatReader(secretKey: string): (token: string) => ChatName {
  const tokens = unsubscribeTokens(secretKey);
  return (token) => {
    const chat = tokens.read(token);
    if (!chat) throw new NotFound();
    return chat;
  };
}

async function sendSubscription(
  { sql, config }: Pick<Context, 'sql' | 'config'>,
  chat: ChatName,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = await findSubscription(sql, chat);
  if (!found) throw new NotFound();
  const language = languageOf(request);
  const { cardOf, leave, back } = pages[language];
  const texts = found.isSubscribed ? leave(found.project) : back(found.project);
  return sendCard(reply, { ...cardOf(texts), language }, { publicUrl: config.publicUrl });
}

type Language = 'en' | 'ru';

/** The first of the two that the browser names. */
function languageOf({ headers }: FastifyRequest): Language {
  const [first] = (headers['accept-language'] ?? '').match(/\b(en|ru)\b/i) ?? [];
  return smallAscii(first ?? '') === 'ru' ? 'ru' : 'en';
}

const leaving = { name: 'List-Unsubscribe', value: 'One-Click' };
const returning = { name: AGAIN, value: '1' };

const pages = {
  en: {
    cardOf: cardTemplate('mailings/subscription.html', 'Mailings'),
    leave: (project: string) => ({
      ...leaving,
      heading: 'Stop mailings?',
      explanation: `“${project}” will send you no more mailings. Answers to your messages will still reach you.`,
      button: 'Unsubscribe',
    }),
    back: (project: string) => ({
      ...returning,
      heading: 'You are unsubscribed.',
      explanation: `“${project}” sends you no more mailings.`,
      button: 'Subscribe again',
    }),
  },
  ru: {
    cardOf: cardTemplate('mailings/subscription.html', 'Рассылки'),
    leave: (project: string) => ({
      ...leaving,
      heading: 'Отписаться от рассылок?',
      explanation: `«${project}» больше не будет присылать вам рассылки. Ответы на ваши сообщения по-прежнему будут приходить.`,
      button: 'Отписаться',
    }),
    back: (project: string) => ({
      ...returning,
      heading: 'Вы отписаны.',
      explanation: `«${project}» больше не присылает вам рассылки.`,
      button: 'Подписаться снова',
    }),
  },
};
