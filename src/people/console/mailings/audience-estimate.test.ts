import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { testContext } from '../../../../test/context.ts';
import { testDatabase } from '../../../../test/database.ts';
import { seedChannel, seedChat, seedProfile, seedProject } from '../../../../test/seed.ts';
import { findAudience } from './audience.ts';
import { evenlySpread, recipientsIn, together } from './audience-parts.ts';

const context = testContext(await testDatabase({ after }), manualClock());
after(() => context.outbound.close());
const { sql } = context;
const project = await seedProject(sql);
const ofOld = await seedChannel(sql, project, 'Telegram');
const ofNew = await seedChannel(sql, project, 'API_Messenger');

/** The old ones have one messenger, and the new ones another. */
const people = 1_200;
const isOld = (n: number): boolean => n < people / 2;
const profiles: string[] = [];
for (let n = 0; n < people; n += 1) {
  const profileId = await seedProfile(sql, project);
  const [channelId, platform] = isOld(n) ? [ofOld, 'Telegram' as const] : [ofNew, 'API_Messenger' as const];
  await seedChat(sql, project, { channelId, profileId, platform });
  profiles.push(profileId);
}
const asked = { content_type: 'TEXT' as const, text: 'Hi' };
/** Time for one part in order and one of the sample. */
const noTime = { ms: -1, enough: null, isLeft: () => false };
const isNear = (number: number | null): boolean => number !== null && number > 120 && number < 1_080;

test('without time for all clients, the estimate is of those that were not reached, too', async () => {
  const filter_chats = { all: [{ type: 'attribute', platform: 'API_Messenger' }] };
  const { size, groups } = await findAudience(context, project, { ...asked, filter_chats }, noTime);
  assert.deepEqual([size.count, size.is_exact], [0, false]);
  assert.ok(isNear(size.about), `about ${size.about}`);
  assert.equal(recipientsIn(groups), size.about);
  assert.deepEqual(size.platforms, [{ platform: 'API_Messenger', count: size.about }]);
});

test('the estimate of a list is of its end, too', async () => {
  const listed = { ...asked, customer_filter_field: 'UUID' as const };
  // One part is 500 lines.
  const old = Array.from(
    { length: 3_000 },
    (_, n) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  );
  const customer_filter_array = [...old, ...profiles];
  const { size } = await findAudience(context, project, { ...listed, customer_filter_array }, noTime);
  assert.deepEqual([size.count, size.is_exact, size.identifiers], [0, false, 4_200]);
  assert.ok(size.about !== null && Math.abs(size.about - 1_200) < 120, `about ${size.about}`);
});

test('who waits for a few recipients gets no estimate', async () => {
  const { size } = await findAudience(
    context,
    project,
    { ...asked, filter_chats: { all: [] } },
    { ...noTime, enough: 3 },
  );
  assert.deepEqual([size.is_exact, size.about], [false, null]);
  assert.ok(size.count !== null && size.count >= 3);
});

test('a part of a sample counts for those that it stands for', () => {
  const group = {
    channel_id: ofOld,
    platform: 'Telegram' as const,
    content_type: 'TEXT' as const,
    timezone: null,
    quiet_until: null,
  };
  const one = { looked: 10, groups: [{ ...group, recipients: 4, capped: 1 }], first: [] };
  const other = { ...group, timezone: 'Asia/Tokyo', recipients: 2, capped: 0 };
  const both = together(one, { ...one, groups: [...one.groups, other] }, 2.5);
  assert.deepEqual(
    both.groups.map(({ timezone, recipients, capped }) => [timezone, recipients, capped]),
    [
      [null, 14, 4],
      ['Asia/Tokyo', 5, 0],
    ],
  );
});

test('the first of a spread list come from all of it', () => {
  const items = Array.from({ length: 1_000 }, (_, n) => n);
  const tenths = new Set(evenlySpread(items, 20).map((n) => Math.floor(n / 100)));
  assert.equal(tenths.size, 10);
  const all = evenlySpread(items, 1_000_0);
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(evenlySpread([], 20), []);
});
