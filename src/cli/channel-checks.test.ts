import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { noon, seedChannel, seedProject } from '../../test/seed.ts';
import { pauseChannel, pauseRefusedChannel } from '../channels/connected/store.ts';
import { checkHealth } from './channel-checks.ts';

const { sql } = await testDatabase({ after });

test('doctor names each channel that needs a person, with the reason and a remedy', async () => {
  const projectId = await seedProject(sql);
  assert.deepEqual(
    (await checkHealth(sql, noon)).map(({ state }) => state),
    ['ok'],
  );
  const refused = await seedChannel(sql, projectId, 'Telegram');
  await pauseRefusedChannel(sql, refused, 'Unauthorized');
  const paused = await seedChannel(sql, projectId, 'Viber');
  await pauseChannel(sql, projectId, paused, 'Olga');
  const lapsing = await seedChannel(sql, projectId, 'Ozon');
  const inAWeek = new Date(noon.getTime() + 7 * 24 * 3_600_000);
  await sql`update channels set lapses_at = ${inAWeek} where id = ${lapsing}`;
  const unregistered = await seedChannel(sql, projectId, 'Max');
  const told = [{ kind: 'unregistered', detail: '', at: null, count: 0, of: 0 }];
  await sql`update channels set told = ${sql.json(told)}::jsonb where id = ${unregistered}`;

  const checks = await checkHealth(sql, noon);
  assert.deepEqual(
    checks.map(({ state, detail }) => [state, detail]),
    [
      ['warning', 'Telegram "Telegram" of "Shop": stopped: Unauthorized'],
      ['warning', 'Ozon "Ozon" of "Shop": the credentials lapse at 2026-11-27T12:00:00.000Z.'],
      ['warning', 'Max "Max" of "Shop": the provider no longer calls our address.'],
    ],
  );
  assert.ok(checks.every(({ remedy }) => remedy));
});
