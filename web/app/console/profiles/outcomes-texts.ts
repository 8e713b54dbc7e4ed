import type { Outcome, OutcomeCode } from '../../../../src/people/console/profiles/schema.ts';
import { texts } from '../../shared/language.tsx';

/** What a sentence may name. `at` is the outcome's time in the reader's language. */
type Facts = Pick<Outcome, 'detail' | 'by'> & { platform: string; at: string };

type Way = NonNullable<Outcome['by']>;

const englishWays: Record<Way, string> = {
  link: 'by the link in a mailing',
  word: 'by a word',
  button: 'by a button',
  operator: 'through the team',
};

const russianWays: Record<Way, string> = {
  link: 'по ссылке в рассылке',
  word: 'словом в чате',
  button: 'кнопкой',
  operator: 'через сотрудника',
};

/** Nothing once the client has come back: the time is no longer known. */
const since = (words: Record<Way, string>, at: string, by: Way | null): string =>
  by ? `: ${at}, ${words[by]}` : '';

type Sentences = Record<OutcomeCode, (facts: Facts) => string>;

const english: Sentences = {
  sent: ({ platform, at }) => `Sent in ${platform} at ${at}. The messenger has not reported a delivery.`,
  delivered: ({ platform, at }) => `Delivered in ${platform} at ${at}.`,
  read: ({ platform, at }) => `Read in ${platform} at ${at}.`,
  sending: ({ platform }) => `Is being sent in ${platform} right now.`,
  queued: ({ platform }) => `Waits for its turn in the channel of ${platform}.`,
  scheduled: ({ at }) => `Is scheduled for ${at}.`,
  retried: ({ platform, detail, at }) =>
    `Did not get through in ${platform}, and is tried again at ${at}: ${detail}`,
  quiet: ({ at }) => `Waits until ${at}: the client has quiet hours.`,
  over_cap: () => 'Not sent: the client has had as many mailings as the project allows.',
  over_topic_cap: ({ detail }) =>
    `Not sent: the client has had as many mailings about “${detail}” as the project allows.`,
  unsubscribed: ({ at, by }) =>
    `Not sent: the client unsubscribed from all mailings${since(englishWays, at, by)}.`,
  left_topic: ({ detail, at, by }) =>
    `Not sent: the client left the topic “${detail}”${since(englishWays, at, by)}.`,
  suppressed: () => 'Not sent: an address of the client is on the suppression list.',
  refused: ({ platform, detail }) => `Not delivered in ${platform}: ${detail}`,
  cancelled: ({ detail }) => `Cancelled before it was sent. ${detail}`,
  later: () => 'Not sent: the mailing began before this client was known.',
  no_chat: () => 'Not sent: the client had no chat in a messenger of this mailing.',
  blocked: () => 'Not sent: the client has blocked every channel of this mailing.',
  left_out: ({ detail }) => `Left out: ${detail}`,
  not_yet: () => 'The mailing is still being prepared and has not reached this client yet.',
  awaits_test: () => 'Waits for the result of an A/B test: the client is not in its sample.',
  ended_early: ({ detail }) => `The mailing ended before it reached this client. ${detail}`,
  not_in_audience: () => 'Not sent: the client did not belong to the audience.',
};

const russian: Sentences = {
  sent: ({ platform, at }) => `Отправлено в ${platform} ${at}. О доставке мессенджер не сообщал.`,
  delivered: ({ platform, at }) => `Доставлено в ${platform} ${at}.`,
  read: ({ platform, at }) => `Прочитано в ${platform} ${at}.`,
  sending: ({ platform }) => `Отправляется в ${platform} прямо сейчас.`,
  queued: ({ platform }) => `Ждёт своей очереди в канале ${platform}.`,
  scheduled: ({ at }) => `Запланировано на ${at}.`,
  retried: ({ platform, detail, at }) =>
    `В ${platform} отправить не удалось, следующая попытка ${at}: ${detail}`,
  quiet: ({ at }) => `Ждёт до ${at}: у клиента тихие часы.`,
  over_cap: () => 'Не отправлено: клиент уже получил столько рассылок, сколько разрешает проект.',
  over_topic_cap: ({ detail }) =>
    `Не отправлено: клиент уже получил столько рассылок на тему «${detail}», сколько разрешает проект.`,
  unsubscribed: ({ at, by }) =>
    `Не отправлено: клиент отписался от всех рассылок${since(russianWays, at, by)}.`,
  left_topic: ({ detail, at, by }) =>
    `Не отправлено: клиент отписался от темы «${detail}»${since(russianWays, at, by)}.`,
  suppressed: () => 'Не отправлено: адрес клиента в стоп-листе.',
  refused: ({ platform, detail }) => `Не доставлено в ${platform}: ${detail}`,
  cancelled: ({ detail }) => `Отменено до отправки. ${detail}`,
  later: () => 'Не отправлено: рассылка началась раньше, чем появился этот клиент.',
  no_chat: () => 'Не отправлено: у клиента не было чата в мессенджерах этой рассылки.',
  blocked: () => 'Не отправлено: клиент заблокировал все каналы этой рассылки.',
  left_out: ({ detail }) => `Пропущено: ${detail}`,
  not_yet: () => 'Рассылка ещё готовится и до этого клиента пока не дошла.',
  awaits_test: () => 'Ждёт итога A/B-теста: клиент не попал в выборку.',
  ended_early: ({ detail }) => `Рассылка закончилась раньше, чем дошла до этого клиента. ${detail}`,
  not_in_audience: () => 'Не отправлено: клиент не входил в аудиторию.',
};

export const outcomesTexts = texts(
  {
    tab: 'Did they get it?',
    lead: 'Every mailing and push message of the last 30 days, and what became of it for this client.',
    none: 'No mailings or push messages',
    noneHint: 'There were none in the last 30 days.',
    kinds: { mailing: 'Mailing', push: 'Push message' },
    variant: (letter: string) => `Variant ${letter}`,
    sentences: english,
  },
  {
    ru: {
      tab: 'Дошло ли?',
      lead: 'Все рассылки и push-сообщения за последние 30 дней и что с ними стало для этого клиента.',
      none: 'Рассылок и push-сообщений нет',
      noneHint: 'За последние 30 дней их не было.',
      kinds: { mailing: 'Рассылка', push: 'Push-сообщение' },
      variant: (letter) => `Вариант ${letter}`,
      sentences: russian,
    },
  },
);
