import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../../../test/faults/until.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { startAvito } from '../../../simulator/avito/provider.ts';
import { startHttpApi } from '../../../simulator/http-api.ts';
import { addChannel } from '../../connected/channels.ts';

const account = { client_id: 'client', client_secret: 's3cret', user_id: '141906442' };

const dataDir = await mkdtemp(join(tmpdir(), 'patchbay-avito-'));
after(() => rm(dataDir, { recursive: true }));
const patchbay = await startPatchbay({ after }, { config: { dataDir } });
const { context, call } = patchbay;
const { sql } = context;
// Avito calls the given address.
context.config.publicUrl = patchbay.address;
const { projectId, key } = await createPartner({ after }, patchbay);
const provider = await startAvito({ after }, account);

test('a client sends a voice message, gets an answer, and reads it', async () => {
  const settings = { ...account, api_root: provider.root };
  await addChannel(context, { projectId, platform: 'Avito', name: 'Shop', settings });
  const disk = await startHttpApi({ after }, () => ({ status: 200, body: 'Voice' }));
  provider.voices.set('v1', `${disk.root}/v1.mp4`);
  await provider.write('u2i-1', { type: 'voice', content: { voice: { voice_id: 'v1' } } });
  const [row] = await sql<{ chat_id: string; url: string }[]>`
    select chat_id, content ->> 'url' as url from messages where direction = 'in'`;
  const found = await fetch(row?.url ?? '');
  assert.deepEqual([found.status, await found.text()], [200, 'Voice']);

  const body = { chat: { uuid: row?.chat_id }, content: { type: 'TEXT', text: 'Yes' } };
  const answer = await call('POST', '/api/partners/push-messages/', { headers: key, body });
  const stateIs = async (wanted: string) => {
    const [message] = await sql<
      { state: string }[]
    >`select state from messages where id = ${answer.body.uuid}`;
    return message?.state === wanted;
  };
  await until(() => stateIs('SENT'));
  // One token is enough for all of this, besides the one that checked the credentials.
  assert.equal(provider.calls.filter(({ path }) => path === '/token').length, 2);
  provider.read('u2i-1');
  context.wake.wake('channels');
  await until(() => stateIs('READ'));
});
