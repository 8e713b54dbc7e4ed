import { setTimeout as pause } from 'node:timers/promises';
import type { Ask, Asks, Work } from './work-in-bulk.ts';

/** The works on what a mailing to all clients has left, when it reached nobody. */
export async function* workAfterwards(asks: Asks): AsyncGenerator<Work> {
  const { asPerson, asProgram, loseRecipients } = asks;
  const webhook = await addWebhook(asPerson);
  await loseRecipients();
  const mailing = await sendToAll(asProgram);
  yield* failures(asPerson, mailing);
  yield* events(asPerson, webhook);
}

/** A webhook that hears the states of mailings. */
async function addWebhook(ask: Ask): Promise<string> {
  await ask('PUT', '/console/api/webhooks/project/', {
    url: 'https://partner.example/',
    kinds: ['MAILING_STATE', 'MAILING_REACTION'],
  });
  const listed: { results: { uuid: string }[] } = JSON.parse(
    await (await ask('GET', '/console/api/webhooks/')).text(),
  );
  const [first] = listed.results;
  if (!first) throw new Error('the project has no webhook');
  return first.uuid;
}

/** Resolves when it has ended. Returns its uuid. */
async function sendToAll(ask: Ask): Promise<string> {
  const made = await ask('POST', '/api/partners/mailings/', {
    name: 'Lost',
    text: 'Hello',
    filter_chats: { all: [] },
  });
  const { uuid }: { uuid: string } = JSON.parse(await made.text());
  for (;;) {
    const read = await ask('GET', `/api/partners/mailings/${uuid}/`);
    const { state }: { state: string } = JSON.parse(await read.text());
    if (state === 'completed') return uuid;
    await pause(1_000);
  }
}

async function* failures(ask: Ask, mailing: string): AsyncGenerator<Work> {
  const base = `/console/api/mailings/${mailing}/`;
  const paths = ['failures/', 'problems/', 'recipients/?state=UNDELIVERED', 'runs/', 'ab-test/'];
  for (const path of paths) {
    yield { name: `GET mailings/…/${path}, failed`, callers: 20, make: () => ask('GET', base + path) };
  }
  yield { name: 'resends', callers: 4, make: () => ask('POST', `${base}resend/`, { name: 'Again' }) };
}

async function* events(ask: Ask, webhook: string): AsyncGenerator<Work> {
  const base = `/console/api/webhooks/${webhook}/`;
  const paths = ['events/?state=DELIVERED', 'events/?event_type=MAILING_REACTION', 'replay/'];
  for (const path of paths) {
    yield { name: `GET webhooks/…/${path}`, callers: 20, make: () => ask('GET', base + path) };
  }
  yield {
    name: 'disabled and enabled again',
    callers: 4,
    make: (n) => ask('POST', `${base}${n % 2 ? 'disable' : 'enable'}/`, {}),
  };
  yield { name: 'replays', callers: 4, make: () => ask('POST', `${base}replay/`, {}) };
}
