import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  claimOne,
  never,
  problemsOf,
  recipientsOf,
  seedClients,
  seedMailing,
  startScene,
  stateOf,
} from '../../../test/planning-scene.ts';
import { platforms } from '../../channels/contract/platforms.ts';
import { parseFilter } from '../../clients/filters/parse.ts';
import { partOfList } from '../../people/console/mailings/audience-store.ts';
import { workOf } from '../filter-work.ts';
import { noCaps } from '../frequency-cap.ts';
import { workOn } from './engine.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

const large = 'a'.repeat(65_000);
/** At each place of such a text it fits but for its first letter: each of these is 65 million comparisons. */
const slow = (n: number) => ({ type: 'attribute', v__contains: `b${n}${'a'.repeat(1_000)}` });
const filter = { any: [slow(1), slow(2), { type: 'attribute', v: 'small' }] };

async function seedVariables(chats: readonly string[], isLarge: (index: number) => boolean): Promise<void> {
  for (const [index, chat] of chats.entries()) {
    await sql`update chats set variables = ${sql.json({ v: isLarge(index) ? large : 'small' })} where id = ${chat}`;
  }
}

/** As the engine does it, until everybody is planned. */
async function planned(id: string): Promise<void> {
  for (;;) {
    const held = await claimOne(context);
    if (held) await workOn(context, held, never);
    const { state, stage } = await stateOf(context, id);
    if (state !== 'planned' && stage !== 'planning') return;
    clock.advance(1_000);
  }
}

test('a recipient who exceeds the budget of the filter is left out and listed, and the others are planned', async () => {
  const { project, profiles, chats } = await seedClients(sql, 60);
  await seedVariables(chats, (index) => index === 40);
  const id = await seedMailing(context, project, { filter_chats: filter });
  await planned(id);
  const others = profiles.filter((_profile, index) => index !== 40);
  assert.deepEqual(await recipientsOf(context, id), others);
  assert.deepEqual(await problemsOf(context, id), [
    [1, profiles[40], 'The filter looks at more of this client than it may.'],
  ]);
});

test('a filter that exceeds its budget for many clients ends its mailing, with the reason', async () => {
  const { project, chats } = await seedClients(sql, 25);
  await seedVariables(chats, () => true);
  const id = await seedMailing(context, project, { filter_chats: filter });
  await planned(id);
  const { state, state_detail } = await stateOf(context, id);
  assert.deepEqual(
    [state, state_detail],
    [
      'error',
      'The filter looks at more of many clients than it may: it needs fewer conditions, or shorter ones.',
    ],
  );
});

test('large attributes and many tags count as large variables do', async () => {
  const { project, profiles, chats } = await seedClients(sql, 1);
  await sql`
    update profiles set attrs = ${sql.json({ v: large })}, tags = array[${large}]
    where project_id = ${project}`;
  const find = (conditions: object[]) =>
    partOfList(
      sql,
      {
        projectId: project,
        list: 'array',
        filter: parseFilter({ all: conditions }),
        topicId: null,
        platforms,
        contentTypes: { asTemplate: 'TEXT', elsewhere: 'TEXT' },
        besides: null,
        quiet: null,
        caps: noCaps,
      },
      'CHAT_UUID',
      chats,
    );
  const searched = `b${'a'.repeat(1_000)}`;
  for (const condition of [
    { type: 'profile_attribute', v__icontains: searched },
    { type: 'profile_tag', tag__contains: searched },
  ]) {
    assert.equal((await find([condition])).looked, profiles.length);
    await assert.rejects(find([condition, condition]), /the filter looks at/);
  }
});

test('what a filter is counted for grows with its conditions, and with what they look for', () => {
  for (let n = 1; n <= 10; n += 1) {
    const conditions = Array.from({ length: 100 * n }, () => slow(0));
    assert.equal(workOf(parseFilter({ all: conditions })).variables, 100 * n * (8 + 1_002));
    const [longer] = [parseFilter({ all: [{ type: 'attribute', v__contains: 'é'.repeat(100 * n) }] })];
    assert.equal(workOf(longer).variables, 8 + 200 * n);
  }
});
