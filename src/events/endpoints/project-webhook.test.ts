import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedApplication, seedEndpoint, seedProject } from '../../../test/seed.ts';
import { openSecrets } from '../secrets.ts';
import { setProjectWebhook } from './project-webhook.ts';

const database = await testDatabase({ after });
const context = testContext(database, manualClock());
const { sql } = context;
let projectId: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
});

type EndpointRow = {
  id: string;
  url: string;
  event_types: string[];
  sealed_secrets: Buffer;
  disabled_at: Date | null;
};

const endpoints = () => sql<EndpointRow[]>`
  select id, url, event_types, sealed_secrets, disabled_at from endpoints
  where project_id = ${projectId} and application_id is null`;

const set = (url: string, kinds: string[]) => setProjectWebhook(context, { projectId, url, kinds });

test('the webhook is stored with event types of the outbox and a sealed secret', async () => {
  const { secret } = await set('https://a.example/', ['MAILING_REACTION', 'MAILING_STATE', 'MAILING_STATE']);
  const [row, ...others] = await endpoints();
  assert.ok(row && others.length === 0);
  assert.deepEqual(row.event_types, ['mailing.reaction', 'mailing.state']);
  assert.deepEqual(openSecrets(context.vault, row.id, row.sealed_secrets), [{ secret, until: null }]);
});

test('a webhook that is set again is replaced and enabled, and keeps its id and secret, even under concurrency', async () => {
  const first = await set('https://a.example/', ['MAILING_STATE']);
  const [before] = await endpoints();
  await sql`update endpoints set disabled_at = now(), failing_since = now() where id = ${before?.id ?? ''}`;
  const again = await Promise.all(
    Array.from({ length: 20 }, () => set('https://b.example/', ['MAILING_REACTION'])),
  );
  assert.deepEqual(new Set(again.map(({ secret }) => secret)), new Set([first.secret]));
  const [row, ...others] = await endpoints();
  assert.ok(row && others.length === 0);
  assert.deepEqual([row.id, row.url, row.disabled_at], [before?.id, 'https://b.example/', null]);
  assert.deepEqual(row.event_types, ['mailing.reaction']);
});

test("an integration's webhook is left alone", async () => {
  const applicationId = await seedApplication(sql);
  const endpointId = await seedEndpoint(sql, projectId, applicationId);
  await set('https://a.example/', ['MAILING_STATE']);
  const [row] = await sql<{ url: string }[]>`select url from endpoints where id = ${endpointId}`;
  assert.equal(row?.url, 'https://crm.example/hook');
});

test('an invalid address, an empty list of kinds and an unknown kind are refused', async () => {
  await assert.rejects(set('example', ['MAILING_STATE']), { fields: { url: ['Enter a valid URL.'] } });
  await assert.rejects(set('https://a.example/', []), { fields: { kinds: ['This list may not be empty.'] } });
  await assert.rejects(set('https://a.example/', ['MAILING_STATE', 'mailing.state']), {
    fields: { kinds: ['"mailing.state" is not a valid choice.'] },
  });
  assert.equal((await endpoints()).length, 0);
});
