import { setTimeout as pause } from 'node:timers/promises';
import { workAfterwards } from './work-afterwards.ts';

export type Ask = (method: string, path: string, body?: object | string) => Promise<Response>;

/** Some callers repeat it at the same time. */
export type Work = { name: string; callers: number; make(n: number): Promise<Response> };

export type Asks = { asPerson: Ask; asProgram: Ask; loseRecipients(): Promise<void> };

/** The works that need much of a database or of the process, one after another. */
export async function* bulkWork(asks: Asks): AsyncGenerator<Work> {
  yield* searches(asks);
  yield* lists(asks);
  yield* codes(asks);
  yield* files(asks);
  yield* mailings(asks);
  yield* workAfterwards(asks);
}

/** No client has it, so that a filter compares all of it. */
const conditions = (count: number, length: number) => ({
  any: Array.from({ length: count }, (_, n) => ({
    type: 'attribute',
    name__icontains: `#${n}${'x'.repeat(length)}`,
  })),
});
const mailing = (filter_chats: object) => ({ name: 'Sale', text: 'Hello', filter_chats });

async function* searches({ asPerson, asProgram }: Asks): AsyncGenerator<Work> {
  const search = (path: string, filter: object) => () =>
    asPerson('POST', `/console/api/mailings/${path}/`, mailing(filter));
  yield { name: 'counts, 1 condition', callers: 4, make: search('audience', conditions(1, 1)) };
  yield { name: 'counts, 100 conditions', callers: 4, make: search('audience', conditions(100, 1)) };
  yield { name: 'counts, 900 long conditions', callers: 4, make: search('audience', conditions(900, 500)) };
  yield { name: 'dry runs', callers: 4, make: search('dry-run', conditions(100, 1)) };
  yield { name: 'previews', callers: 4, make: search('preview', conditions(100, 1)) };
  const finish_by = new Date(Date.now() + 3_600_000).toISOString();
  const spread = {
    ...mailing(conditions(100, 1)),
    planned_at: new Date(Date.now() + 60_000).toISOString(),
    finish_by,
  };
  yield {
    name: 'starts until a moment',
    callers: 4,
    make: () => asPerson('POST', '/console/api/mailings/', spread),
  };
  const large = { ...mailing(conditions(900, 500)), planned_at: '2099-01-01T00:00:00Z' };
  yield {
    name: 'large filters of a program',
    callers: 4,
    make: () => asProgram('POST', '/api/partners/mailings/', large),
  };
}

async function* lists({ asPerson, asProgram }: Asks): AsyncGenerator<Work> {
  const paths = [
    '/console/api/profiles/?search=client',
    '/console/api/profiles/audit/',
    '/chat-center/api/chats/?search=client',
  ];
  for (const path of paths) yield { name: `GET ${path}`, callers: 20, make: () => asPerson('GET', path) };
  yield {
    name: 'the last clients',
    callers: 20,
    make: () => asProgram('GET', '/api/partners/profiles/?limit=100&offset=59900'),
  };
}

async function* codes({ asPerson }: Asks): AsyncGenerator<Work> {
  const made = await asPerson('POST', '/console/api/promocode-groups/', { name: 'Spring' });
  const { uuid }: { uuid: string } = JSON.parse(await made.text());
  const group = `/console/api/promocode-groups/${uuid}/`;
  const lines = (n: number, length: number) =>
    Array.from({ length: 1_000 }, (_, line) => `${'ж'.repeat(length)}${n}-${line}`);
  yield {
    name: 'imports of long codes',
    callers: 10,
    make: (n) => asPerson('POST', `${group}import/`, { lines: lines(n, 480) }),
  };
  yield {
    name: 'imports of short codes',
    callers: 30,
    make: (n) => asPerson('POST', `${group}import/`, { lines: lines(n, 1) }),
  };
  yield {
    name: 'generations of 1,000 codes',
    callers: 10,
    make: () => asPerson('POST', `${group}generate/`, { count: 1_000, length: 12 }),
  };
  yield { name: 'exports of codes', callers: 4, make: () => asPerson('GET', `${group}export/`) };
}

async function* files({ asPerson }: Asks): AsyncGenerator<Work> {
  const numbers = (n: number): string =>
    Array.from({ length: 100_000 }, (_, line) => `+1202${String(n * 100_000 + line).padStart(7, '0')}`).join(
      '\n',
    );
  yield {
    name: 'imports of suppressions',
    callers: 4,
    make: (n) => asPerson('POST', '/console/api/suppressions/import/', numbers(n)),
  };
  yield {
    name: 'exports of suppressions',
    callers: 4,
    make: () => asPerson('GET', '/console/api/suppressions/export/'),
  };
}

async function* mailings({ asPerson, asProgram }: Asks): AsyncGenerator<Work> {
  const start = () => asProgram('POST', '/api/partners/mailings/', mailing({ all: [] }));
  const uuids: string[] = [];
  const noting = async (): Promise<Response> => {
    const response = await start();
    const { uuid }: { uuid: string } = JSON.parse(await response.clone().text());
    uuids.push(uuid);
    await pause(2_000);
    return response;
  };
  yield { name: 'mailings to all, planned and sent', callers: 1, make: noting };
  const [first] = uuids;
  const of = (path: string) => () => asPerson('GET', `/console/api/mailings/${first}/${path}`);
  yield { name: 'downloads of recipients', callers: 4, make: of('recipients/export/') };
  for (const path of ['recipients/', 'timeline/', 'failures/', 'problems/', '']) {
    yield { name: `GET mailings/…/${path}`, callers: 20, make: of(path) };
  }
  yield {
    name: 'calculations',
    callers: 10,
    make: () => asPerson('POST', `/console/api/mailings/${first}/calculate/`, {}),
  };
  yield {
    name: 'stops',
    callers: 1,
    make: async (n) => asPerson('POST', `/console/api/mailings/${uuids[n % uuids.length]}/stop/`, {}),
  };
}
