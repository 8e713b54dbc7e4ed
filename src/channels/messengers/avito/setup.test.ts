import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { testContext } from '../../../../test/context.ts';
import { testDatabase } from '../../../../test/database.ts';
import { createProject } from '../../../access/projects/projects.ts';
import { startReceiving } from '../../../messaging/chats/receiving.ts';
import { createGuesses } from '../../../messaging/inbound/guesses.ts';
import { receiveFromProvider } from '../../../messaging/inbound/receive-from-provider.ts';
import { anyone } from '../../../platform/http/guard.ts';
import { router } from '../../../platform/http/router.ts';
import { createServer } from '../../../platform/http/server.ts';
import { startAvito } from '../../../simulator/avito/provider.ts';
import { addChannel } from '../../connected/channels.ts';

const account = { client_id: 'client', client_secret: 's3cret', user_id: '141906442' };

const database = await testDatabase({ after });
const { sql } = database;
const context = testContext(database, manualClock());
const provider = await startAvito({ after }, account);

const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
const route = router(server, context);
route(
  'POST',
  '/channels/:uuid/:first/',
  anyone,
  receiveFromProvider(createGuesses(), startReceiving(context)),
);
context.config.publicUrl = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

async function add(changes: object = {}) {
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const settings = { ...account, api_root: provider.root, ...changes };
  return addChannel(context, { projectId, platform: 'Avito', name: 'Shop', settings });
}

test('the address answers while it is added, and receives messages from then on', async () => {
  const { id, webhookUrl } = await add();
  assert.deepEqual([...provider.webhooks], [webhookUrl]);
  const [answer] = await provider.write('u2i-1', { type: 'text', content: { text: 'Is it sold?' } });
  assert.equal(answer?.status, 200);
  const rows = await sql`select content ->> 'text' as text from messages where channel_id = ${id}`;
  assert.deepEqual([...rows], [{ text: 'Is it sold?' }]);
});

test('any other ending of the address is not found', async () => {
  const { webhookUrl } = await add();
  const other = webhookUrl.replace(/[^/]+\/$/, `${'a'.repeat(43)}/`);
  assert.equal((await fetch(other, { method: 'POST', body: '{}' })).status, 404);
  assert.equal((await fetch(webhookUrl, { method: 'POST', body: '{}' })).status, 200);
});

test('wrong credentials are reported when the channel is added, and nothing is left behind', async () => {
  const words = 'Avito refused: Client authentication failed';
  await assert.rejects(add({ client_secret: 'other' }), {
    fields: { settings: { non_field_errors: [words] } },
  });
  await nothingIsLeft();
});

test('the number of another account is refused when the channel is added, and its field is named', async () => {
  const words = `user_id is not the account of these keys. Avito: its number is ${account.user_id}.`;
  await assert.rejects(add({ user_id: '777' }), { fields: { settings: { non_field_errors: [words] } } });
  await nothingIsLeft();
});

test('trouble with the question about the account keeps nobody from adding it', async () => {
  provider.react(({ path }) => (path.startsWith('/core/') ? { status: 404 } : null));
  await add();
  provider.react(() => null);
});

async function nothingIsLeft(): Promise<void> {
  const [row] = await sql`select count(*) from channels where state = 'unfinished'`;
  assert.equal(Number(row?.count), 0);
}
