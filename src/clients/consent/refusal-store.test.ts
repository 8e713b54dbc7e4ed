import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { planOf } from '../../../test/plan.ts';
import { hasList, mayReach } from './refusal-store.ts';

const { sql } = await testDatabase({ after });

test('a plan looks for the departures and addresses of each client, and never reads all of them', async () => {
  const client = { projectId: sql`profiles.project_id`, profileId: sql`profiles.id` };
  const nil = sql`'00000000-0000-0000-0000-000000000000'::uuid`;
  const rule = { topicId: nil, hasList: hasList(sql, nil) };
  const plan = await planOf(
    sql,
    sql`select id from profiles where project_id = ${nil} and ${mayReach(sql, client, rule)}`,
  );
  assert.doesNotMatch(plan, /Join|Hashed|Seq Scan on (chats|suppressions)/);
  const leaving = plan.match(/(?<=on chats leaving.*\n)\s+Index Cond: .*/g) ?? [];
  assert.equal(leaving.length, 2, plan);
  // An empty table has no reason to prefer the index of a client's chats. The index of those who left serves alone.
  assert.match(leaving[0] ?? '', /profile_id = /);
  const ofLists = plan.match(/(?<=on suppressions.*\n)\s+Index Cond: .*/g) ?? [];
  assert.ok(
    ofLists.some((condition) => condition.includes('address')),
    plan,
  );
});
