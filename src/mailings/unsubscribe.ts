import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { comeBack, leave } from '../messaging/chats/consent.ts';
import { findSubscription, type Subscription } from '../messaging/chats/unsubscribe-store.ts';
import { type Leaving, unsubscribeTokens } from '../messaging/chats/unsubscribe-token.ts';
import { smallAscii } from '../platform/ascii.ts';
import type { Context } from '../platform/context.ts';
import { openAction } from '../platform/http/action.ts';
import { type Card, cardTemplate, sendCard } from '../platform/http/card.ts';
import { RawBytes } from '../platform/http/fields.ts';
import { parseForm } from '../platform/http/form.ts';
import { fillPage } from '../platform/http/page.ts';
import { NotFound } from '../platform/problem.ts';

const params = Type.Object({ token: Type.String() });

/**
 * GET /u/{token}/: asks the client whether to end mailings, or those of a topic. It changes nothing: mail programs fetch
 * addresses by themselves.
 */
export function showSubscription({ config }: Pick<Context, 'config'>) {
  const leavingOf = reader(config.secretKey);
  return openAction({
    params,
    handle: async ({ context, params: { token }, request, reply }) => {
      const leaving = leavingOf(token);
      return sendSubscription(context, leaving, await subscriptionOf(context, leaving), request, reply);
    },
  });
}

/** The fields of the forms: a client subscribes again, and chooses what to leave. Everything has no id. */
const AGAIN = 'again';
const TOPIC = 'topic';

/**
 * POST /u/{token}/: the client unsubscribes by the page or by the mail program's button, which leaves the mailing's topic,
 * or else everything. The program sends no cookie and may send any form (RFC 8058). It works as long as the chat exists.
 */
export function changeSubscription({ config }: Pick<Context, 'config'>) {
  const leavingOf = reader(config.secretKey);
  return openAction({
    params,
    body: RawBytes,
    handle: async ({ context, params: { token }, body, request, reply }) => {
      const { sql, clock } = context;
      const leaving = leavingOf(token);
      const { topics } = await subscriptionOf(context, leaving);
      const form = parseForm(body.toString('latin1'));
      const chosen = form[TOPIC] ?? leaving.topicId;
      // A topic that is gone cannot be left, but the client wants to leave.
      const topicId = topics.find(({ id }) => id === chosen)?.id ?? null;
      if (form[AGAIN] !== undefined) await comeBack(sql, leaving, null);
      else await leave(sql, leaving, { topicId, way: 'link', now: clock.now() });
      return sendSubscription(context, leaving, await subscriptionOf(context, leaving), request, reply);
    },
  });
}

function reader(secretKey: string): (token: string) => Leaving {
  const tokens = unsubscribeTokens(secretKey);
  return (token) => {
    const leaving = tokens.read(token);
    if (!leaving) throw new NotFound();
    return leaving;
  };
}

async function subscriptionOf({ sql }: Pick<Context, 'sql'>, leaving: Leaving): Promise<Subscription> {
  const found = await findSubscription(sql, leaving);
  if (!found) throw new NotFound();
  return found;
}

function sendSubscription(
  { config }: Pick<Context, 'config'>,
  leaving: Leaving,
  subscription: Subscription,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const language = languageOf(request);
  const card = cardOf(pages[language], leaving, subscription);
  return sendCard(reply, { ...card, language }, { publicUrl: config.publicUrl });
}

function cardOf(page: Page, { topicId }: Leaving, { project, hasUnsubscribed, topics }: Subscription): Card {
  if (hasUnsubscribed) return page.cardOf({ ...returning, ...page.back(project) });
  const left = topics.filter(({ hasLeft }) => hasLeft);
  const open = topics.filter(({ hasLeft }) => !hasLeft);
  const preferred = open.find(({ id }) => id === topicId)?.id ?? '';
  const choices = [...open, { id: '', name: page.everything }];
  return page.cardOf(
    { ...oneClick, ...(open.length > 0 ? page.choose(project) : page.leave(project)) },
    {
      choices: open.length === 0 ? '' : choicesOf(page, choices, preferred),
      return: left.length === 0 ? '' : returnOf(page, left),
    },
  );
}

const choice = (id: string, name: string, isChosen: boolean): string =>
  fillPage(
    `<label class="choice"><input type="radio" name="${TOPIC}" value="{{id}}"${isChosen ? ' checked' : ''}> {{name}}</label>`,
    { id, name },
  );

const choicesOf = (
  { legend, choicesOf }: Page,
  choices: readonly { id: string; name: string }[],
  preferred: string,
): string =>
  choicesOf(
    { legend },
    { choices: choices.map(({ id, name }) => choice(id, name, id === preferred)).join('') },
  ).html;

const returnOf = ({ returnOf, left, again }: Page, topics: readonly { name: string }[]): string =>
  returnOf({ left: left(topics.map(({ name }) => name).join(', ')), button: again }).html;

type Language = 'en' | 'ru';

/** The first of the two that the browser names. */
function languageOf({ headers }: FastifyRequest): Language {
  const [first] = (headers['accept-language'] ?? '').match(/\b(en|ru)\b/i) ?? [];
  return smallAscii(first ?? '') === 'ru' ? 'ru' : 'en';
}

const oneClick = { name: 'List-Unsubscribe', value: 'One-Click' };
const returning = { name: AGAIN, value: '1' };

type Template = ReturnType<typeof cardTemplate>;
type Texts = { heading: string; explanation: string; button: string };

type Page = {
  cardOf: Template;
  choicesOf: Template;
  returnOf: Template;
  leave: (project: string) => Texts;
  choose: (project: string) => Texts;
  back: (project: string) => Texts;
  legend: string;
  everything: string;
  left: (topics: string) => string;
  again: string;
};

const templatesIn = (title: string) => ({
  cardOf: cardTemplate('mailings/subscription.html', title),
  choicesOf: cardTemplate('mailings/choices.html', title),
  returnOf: cardTemplate('mailings/return.html', title),
});

const pages: Record<Language, Page> = {
  en: {
    ...templatesIn('Mailings'),
    leave: (project) => ({
      heading: 'Stop mailings?',
      explanation: `“${project}” will send you no more mailings. Answers to your messages will still reach you.`,
      button: 'Unsubscribe',
    }),
    choose: (project) => ({
      heading: 'Stop mailings?',
      explanation: `“${project}” will send you no more of what you choose. Answers to your messages will still reach you.`,
      button: 'Unsubscribe',
    }),
    back: (project) => ({
      heading: 'You are unsubscribed.',
      explanation: `“${project}” sends you no more mailings.`,
      button: 'Subscribe again',
    }),
    legend: 'Unsubscribe from',
    everything: 'All mailings',
    left: (topics) => `You no longer get: ${topics}.`,
    again: 'Subscribe again',
  },
  ru: {
    ...templatesIn('Рассылки'),
    leave: (project) => ({
      heading: 'Отписаться от рассылок?',
      explanation: `«${project}» больше не будет присылать вам рассылки. Ответы на ваши сообщения по-прежнему будут приходить.`,
      button: 'Отписаться',
    }),
    choose: (project) => ({
      heading: 'Отписаться от рассылок?',
      explanation: `«${project}» больше не будет присылать то, что вы выберете. Ответы на ваши сообщения по-прежнему будут приходить.`,
      button: 'Отписаться',
    }),
    back: (project) => ({
      heading: 'Вы отписаны.',
      explanation: `«${project}» больше не присылает вам рассылки.`,
      button: 'Подписаться снова',
    }),
    legend: 'Отписаться от',
    everything: 'Всех рассылок',
    left: (topics) => `Вы больше не получаете: ${topics}.`,
    again: 'Подписаться снова',
  },
};
