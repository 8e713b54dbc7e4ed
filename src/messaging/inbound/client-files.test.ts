import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { seedProject } from '../../../test/seed.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { webhookSecret } from '../../channels/messengers/telegram/settings.ts';
import { refusal, startTelegram } from '../../simulator/telegram/provider.ts';
import { readFileToken } from '../attachments/address.ts';
import { leaseFile } from '../attachments/client-files-store.ts';
import { nameStoredFiles } from '../attachments/name-files.ts';
import { awaitFile, awaitTogether, bringFile } from './bring-file.ts';
import { startFetching } from './fetching.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-files-'));
after(() => rm(dataDir, { recursive: true }));
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { config: { dataDir, roles: ['api'] }, clock });
const { context, call } = patchbay;
const { sql } = context;
const telegram = await startTelegram({ after });
const projectId = await seedProject(sql);
const bot_token = '1:planted-token';
const channel = await addChannel(context, {
  projectId,
  platform: 'Telegram',
  name: 'Bot',
  settings: { bot_token, api_root: telegram.root },
});

let messageId = 0;

/** Receives a document from a client. Returns the address in its message. */
async function receive(file_id: string): Promise<string> {
  messageId += 1;
  const chat = { id: 777, type: 'private' };
  const message = { message_id: messageId, chat, document: { file_id, file_name: 'contract.txt' } };
  const { status } = await call('POST', `/channels/${channel.id}/`, {
    headers: { 'x-telegram-bot-api-secret-token': webhookSecret({ bot_token }) },
    body: { update_id: messageId, message },
  });
  assert.equal(status, 200);
  const [row] = await sql<{ url: string }[]>`
    select content ->> 'url' as url from messages where external_id = ${`777:${messageId}`}`;
  return row?.url ?? '';
}

const get = (url: string) => fetch(patchbay.address + url.replace(context.config.publicUrl, ''));

test('a client’s file has our address at once, which serves its bytes and no credentials', async () => {
  telegram.files.set('doc-1', Buffer.from('We agree.'));
  const url = await receive('doc-1');
  assert.match(url, /^https:\/\/patchbay\.test\/files\/[\w-]{64}\/contract\.txt$/);
  const answer = await get(url);
  assert.equal(answer.status, 200);
  assert.equal(await answer.text(), 'We agree.');
});

test('a file is fetched without a reader, and stays available when its provider has removed it', async (t) => {
  telegram.files.set('doc-2', Buffer.from([0, 1, 2, 3]));
  const url = await receive('doc-2');
  const fetching = startFetching(context);
  t.after(() => fetching.stop());
  while (
    (await sql`select from client_files where source ->> 'reference' = 'doc-2' and due_at is not null`)
      .length > 0
  );
  telegram.files.delete('doc-2');
  assert.deepEqual(Buffer.from(await (await get(url)).arrayBuffer()), Buffer.from([0, 1, 2, 3]));
});

test('a file that its provider has removed is not found', async () => {
  assert.equal((await get(await receive('gone'))).status, 404);
});

test('a failing provider is asked again later', async () => {
  telegram.files.set('doc-3', Buffer.from('Later'));
  telegram.react(({ method }) => (method === 'getFile' ? refusal(500, 'Internal Server Error') : null));
  const url = await receive('doc-3');
  const fetching = startFetching(context);
  await telegram.called(({ method, parameters }) => method === 'getFile' && parameters.file_id === 'doc-3');
  await fetching.stop();
  telegram.react(() => null);
  clock.advance(60_000);
  assert.equal(await (await get(url)).text(), 'Later');
});

test('a file that another process fetches is found, whenever that fetch ends', async () => {
  for (const selects of [1, 2]) {
    telegram.files.set('doc-4', Buffer.from('Elsewhere'));
    const token = /files\/([\w-]{64})\//.exec(await receive('doc-4'))?.[1] ?? '';
    const key = readFileToken(context.config.secretKey, token);
    const now = clock.now();
    const leased = key && (await leaseFile(sql, key, now, new Date(now.getTime() + 60_000)));
    assert.ok(leased);
    let left = selects;
    const beside = new Proxy(sql, {
      apply(target, self, parts) {
        const answer = Reflect.apply(target, self, parts);
        if (!String(parts[0].raw?.[0]).trimStart().startsWith('select')) return answer;
        left -= 1;
        if (left !== 0) return answer;
        return answer.then(async (rows: unknown) => {
          await bringFile(context, leased);
          return rows;
        });
      },
    });
    assert.ok(await awaitFile({ ...context, sql: beside }, key), `after ${selects} statements`);
  }
});

test('a stored reference becomes an address, and the file is fetched for its reader', async () => {
  telegram.files.set('old', Buffer.from('From before'));
  const [message] = await sql<{ id: string }[]>`
    update messages set content = '{"url": "telegram-file:old"}' where external_id = '777:1' returning id`;
  // The row as the migration leaves it.
  await sql`
    insert into client_files (project_id, id, channel_id, source, name, created_at, due_at, message_id)
    values (${projectId}, gen_random_uuid(), ${channel.id}, '{"reference": "old"}', 'document', ${clock.now()},
      ${clock.now()}, ${message?.id ?? null})`;
  await nameStoredFiles(context);
  const [row] = await sql<{ url: string }[]>`
    select content ->> 'url' as url from messages where id = ${message?.id ?? null}`;
  assert.equal(await (await get(row?.url ?? '')).text(), 'From before');
});

/** A file that another process is fetching. */
async function fetchedElsewhere(file_id: string) {
  telegram.files.set(file_id, Buffer.from('Elsewhere'));
  const token = /files\/([\w-]{64})\//.exec(await receive(file_id))?.[1] ?? '';
  const key = readFileToken(context.config.secretKey, token);
  const now = clock.now();
  const leased = key && (await leaseFile(sql, key, now, new Date(now.getTime() + 60_000)));
  return { key: key ?? assert.fail(), leased: leased ?? assert.fail() };
}

test('a thousand readers of a file that is not here yet ask the database like one', async () => {
  let statements = 0;
  const counted = new Proxy(sql, {
    apply(target, self, parts) {
      statements += 1;
      return Reflect.apply(target, self, parts);
    },
  });
  const { key, leased } = await fetchedElsewhere('doc-5');
  const wait = awaitTogether();
  const readers = Array.from({ length: 1_000 }, () => wait({ ...context, sql: counted }, key));
  await bringFile(context, leased);
  for (const row of await Promise.all(readers)) assert.equal(row?.name, 'contract.txt');
  assert.ok(statements < 100, `${statements} statements`);
});

test('readers wait for few files of a project at the same time, and are asked to come back for others', async () => {
  const wait = awaitTogether();
  const files = [];
  for (let n = 0; n < 9; n += 1) files.push(await fetchedElsewhere(`doc-6-${n}`));
  const answers = files.map(({ key }) => wait(context, key));
  await assert.rejects(answers[8] ?? assert.fail(), { status: 503 });
  for (const { leased } of files) await bringFile(context, leased);
  assert.equal((await Promise.all(answers.slice(0, 8))).includes(null), false);
});
