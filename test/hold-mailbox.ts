import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { Link } from '../src/channels/contract/adapter.ts';
import type { InboundEvent } from '../src/channels/contract/inbound.ts';
import { connect } from '../src/channels/messengers/email/mailbox.ts';
import type { Settings } from '../src/channels/messengers/email/settings.ts';
import { clientOver } from './adapter.ts';
import { testOutbound } from './outbound.ts';

/** One connection to a mailbox, from this cursor on. `stored`: what it stored, cursors among it. */
export function holdMailbox(t: TestContext, settings: Settings, cursor: string | null) {
  const abort = new AbortController();
  t.after(() => abort.abort());
  const stored: (InboundEvent[] | string | undefined)[] = [];
  const news = new EventTarget();
  const ready = Promise.withResolvers<void>();
  const link: Link = {
    client: clientOver(testOutbound(t)),
    signal: abort.signal,
    cursor,
    store: async (events, next) => {
      stored.push(...(events.length > 0 ? [events] : []), next);
      news.dispatchEvent(new Event('stored'));
    },
    keep: () => assert.fail('nothing is to be kept'),
    ready: (send) => (send ? assert.fail('mail is not sent through it') : ready.resolve()),
  };
  const ended = connect(settings, link);
  ended.catch((error) => ready.reject(error));
  const messages = () =>
    stored
      .flatMap((one) => (Array.isArray(one) ? one : []))
      .flatMap((event) => (event.kind === 'message' ? [event.message] : []));
  return {
    abort,
    ended,
    ready: ready.promise,
    stored,
    messages,
    texts: () => messages().map(({ text }) => text),
    async cursor(wanted: string) {
      while (stored.at(-1) !== wanted) await once(news, 'stored');
    },
    /** Resolves when so many messages have arrived. */
    async heard(count: number) {
      while (messages().length < count) await once(news, 'stored');
    },
  };
}

/** A mail with a file of this text. */
export const letterWithFile = (file: string): string =>
  [
    'From: ann@client.example',
    'Message-ID: <large@client.example>',
    'Content-Type: multipart/mixed; boundary=-',
    '',
    '---',
    'Content-Type: text/csv; name=a.csv',
    '',
    file,
    '-----',
    '',
  ].join('\r\n');
