import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lookAtAll } from '../../../test/audience-looks.ts';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { seedChat } from '../../../test/seed.ts';
import { insertAudience } from '../../clients/audiences/store.ts';
import { addAttribute, addTag } from '../../clients/profiles/dictionary.ts';
import { startByDates } from '../date-starts.ts';
import type { Wanted } from '../starter-kinds.ts';
import { addStarter } from '../starters.ts';
import { listStarters } from '../starters-store.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context, call } = patchbay;
const { sql, wake } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { add, hears, heard, push, say, settled } = openShop(patchbay, partner);
for (const name of ['vip', 'new', 'ping', 'pong']) await addTag(context, { projectId, name });
for (const name of ['status', 'count']) await addAttribute(context, { projectId, name });

const text = (id: string, words: string) => ({ id, type: 'message', text: words });

/** A scenario that says these words, and what starts it. */
async function starting(name: string, words: string, ...wanted: Wanted[]): Promise<void> {
  await startingWith(name, [text('a', words)], ...wanted);
}

async function startingWith(name: string, steps: object[], ...wanted: Wanted[]): Promise<void> {
  const { id } = await add(name, steps);
  for (const one of wanted) await addStarter(context, projectId, id, one);
}

const api = async (method: string, path: string, body: object): Promise<{ uuid: string }> => {
  const answer = await call(method, `/api/partners/${path}`, { headers: partner.key, body });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  // The slow look would find the event too.
  wake.wake('running');
  return answer.body;
};
const change = (profile: string, body: object) => api('PUT', `profiles/${profile}/`, body);

test('a tag that somebody adds or removes starts its scenario once for each change', async () => {
  await starting('Vip', 'Hello {{tag}}', { kind: 'tag_added', value: 'vip' });
  await starting('Bye', 'No longer {{tag}}', { kind: 'tag_removed', value: 'vip' });
  const { profile } = await partner.client('ann');
  await change(profile, { tags: ['vip'] });
  assert.deepEqual(await hears('ann', 1), ['Hello vip']);
  await change(profile, { tags: ['vip', 'new'] });
  await settled();
  await change(profile, { tags: ['new'] });
  assert.deepEqual(await hears('ann', 2), ['Hello vip', 'No longer vip']);
  await change(profile, { tags: ['vip'] });
  assert.deepEqual((await hears('ann', 3)).slice(2), ['Hello vip']);
  await settled();
  assert.equal(heard('ann').length, 3);
});

test('an attribute that gets a value starts the scenario of this value, or else that of any value', async () => {
  await starting('Paid', 'Paid', { kind: 'attribute', value: 'status', to: 'paid' });
  await starting('Moved', 'Now {{value}}', { kind: 'attribute', value: 'status' });
  const { profile } = await partner.client('bob');
  await change(profile, { attrs: { status: 'new' } });
  assert.deepEqual(await hears('bob', 1), ['Now new']);
  await change(profile, { attrs: { status: 'paid' } });
  assert.deepEqual(await hears('bob', 2), ['Now new', 'Paid']);
  await change(profile, { attrs: { status: 'paid' } });
  await change(profile, { attrs: { status: null } });
  await settled();
  assert.equal(heard('bob').length, 2);
});

test('several changes at once start their scenarios one after the other', async () => {
  const { profile } = await partner.client('cid');
  await change(profile, { tags: ['vip'], attrs: { status: 'paid' } });
  assert.deepEqual((await hears('cid', 2)).toSorted(), ['Hello vip', 'Paid']);
});

test('a promo code that somebody issues starts its scenario, and one that a message takes does not', async () => {
  const { uuid: group } = await api('POST', 'promocode-groups/', { name: 'Spring' });
  await starting('Used', 'Thanks for {{promocode}}', { kind: 'promocode', value: group });
  await starting('Other', 'Thanks', { kind: 'promocode', value: '' });
  await startingWith('Gift', [text('a', 'Take {{promocode:Spring}}')]);
  const { chat } = await partner.client('dan');
  const { uuid } = await api('POST', 'promocodes/', { code: 'S-1', group });
  await push(chat, 'Gift');
  assert.deepEqual(await hears('dan', 1), ['Take S-1']);
  await settled();
  assert.equal(heard('dan').length, 1);

  await api('PATCH', `promocodes/${uuid}/`, { status: 'ISSUED' });
  assert.deepEqual((await hears('dan', 2))[1], 'Thanks for S-1');
  await api('PATCH', `promocodes/${uuid}/`, { status: 'ISSUED' });
  await settled();
  assert.equal(heard('dan').length, 2);

  const other = await api('POST', 'promocode-groups/', { name: 'Autumn' });
  await api('POST', 'promocodes/', { code: 'A-1', group: other.uuid, issued_chat: chat });
  assert.deepEqual((await hears('dan', 3))[2], 'Thanks');
});

test('a change that a scenario makes starts no scenario, so that none starts itself', async () => {
  const sets = (add_tags: string[], remove_tags: string[]) => ({
    id: 's',
    type: 'set',
    add_tags,
    remove_tags,
  });
  await startingWith('Ping', [text('a', 'ping'), sets(['pong'], ['ping'])], {
    kind: 'tag_added',
    value: 'ping',
  });
  await startingWith(
    'Pong',
    [text('a', 'pong'), sets(['ping'], ['pong'])],
    { kind: 'tag_added', value: 'pong' },
    { kind: 'tag_removed', value: 'ping' },
  );
  const { profile, chat } = await partner.client('eve');
  await change(profile, { tags: ['ping'] });
  assert.deepEqual(await hears('eve', 1), ['ping']);
  await settled();
  const { body } = await call('GET', `/api/partners/profiles/chat/${chat}/`, { headers: partner.key });
  assert.deepEqual([heard('eve'), body.tags], [['ping'], ['pong']]);
});

test('a start is in the chat that was active last, and is left out while an operator has it or without a chat', async () => {
  const first = await partner.client('fay');
  clock.advance(1000);
  const second = await partner.client('fay at work');
  await sql`update chats set profile_id = ${first.profile} where id = ${second.chat}`;
  await change(first.profile, { tags: ['vip'] });
  assert.deepEqual(await hears('fay at work', 1), ['Hello vip']);
  await settled();
  assert.deepEqual(heard('fay'), []);

  await sql`
    insert into sessions (project_id, id, chat_id, opened_at)
    values (${projectId}, ${context.newId()}, ${second.chat}, ${clock.now()})`;
  await change(first.profile, { tags: [] });
  await settled();
  await sql`update sessions set closed_at = ${clock.now()} where chat_id = ${second.chat}`;
  clock.advance(3_600_000);
  await settled();
  assert.equal(heard('fay at work').length, 1);

  await change(second.profile, { tags: ['vip'] });
  await settled();
});

test('a disabled starter starts nothing, also for changes from before it is enabled again', async () => {
  const [vip] = (await listStarters(sql, projectId)).filter(({ scenario }) => scenario === 'Vip');
  const { profile } = await partner.client('gus');
  await sql`update scenario_event_starters set is_enabled = false where id = ${vip?.id ?? ''}`;
  await change(profile, { tags: ['vip'] });
  await sql`update scenario_event_starters set is_enabled = true where id = ${vip?.id ?? ''}`;
  await settled();
  assert.deepEqual(heard('gus'), []);
});

test('a thousand changes in one statement start a thousand runs, each once', async () => {
  await add('Silent', [{ id: 's', type: 'set', variables: { done: 'yes' } }]);
  const chats: string[] = [];
  for (let count = 0; count < 1000; count += 1) {
    chats.push(await seedChat(sql, projectId, { channelId: partner.channel.id }));
  }
  const [scenario] = await sql<[{ id: number }]>`
    select id from scenarios where project_id = ${projectId} and name = 'Silent'`;
  await addStarter(context, projectId, scenario.id, { kind: 'attribute', value: 'count' });
  await sql`
    insert into profile_audit (project_id, id, profile_id, action, changes, actor_type, actor_name, created_at)
    select ${projectId}, gen_random_uuid(), profile_id, 'updated', '{"attrs": [{}, {"count": 7}]}', 'operator', 'Olga',
      ${clock.now()}
    from chats where id = any (${chats}::uuid[])`;
  const [queued] = await sql<[{ count: number }]>`select count(*)::int from scenario_event_starts`;
  assert.ok(queued.count > 0, 'the statement itself starts nothing');
  await settled();
  const [row] = await sql`
    select count(*)::int as runs, count(*) filter (where status = 'ended')::int as ended,
      count(*) filter (where params = '{"attribute": "count", "value": 7}')::int as params
    from scenario_runs where chat_id = any (${chats}::uuid[])`;
  assert.deepEqual(row, { runs: 1000, ended: 1000, params: 1000 });
  const [counts] = await sql<[{ came: number }]>`
    select sum(count)::int as came from scenario_counts where scenario_id = ${scenario.id} and way = ''`;
  assert.equal(counts.came, 1000);
});

test('a day of the year starts nothing for a client who left mailings', async () => {
  await addAttribute(context, { projectId, name: 'birthday' });
  await starting('Birthday', 'Happy birthday', { kind: 'date', value: 'birthday', to: '0' });
  await starting('Born', 'Born on {{value}}', { kind: 'attribute', value: 'birthday' });
  const born = { attrs: { birthday: clock.now().toISOString().slice(0, 10) } };
  const gone = await partner.client('olaf');
  const listed = await partner.client('otto');
  const other = await partner.client('oscar');
  await say('olaf', 'stop');
  await hears('olaf', 1);
  await sql`
    insert into suppressions (project_id, id, platform, address, added_at, way)
    values (${projectId}, ${context.newId()}, 'API_Messenger', 'otto', ${clock.now()}, 'operator')`;
  for (const { profile } of [gone, listed, other]) await change(profile, born);
  await settled();
  await startByDates(context);
  await hears('oscar', 2);
  await settled();
  for (const name of ['olaf', 'otto', 'oscar'])
    assert.ok(heard(name).some((words) => words.startsWith('Born')));
  for (const name of ['olaf', 'otto']) assert.ok(!heard(name).includes('Happy birthday'));
  assert.ok(heard('oscar').includes('Happy birthday'));
});

test('a client who enters a saved audience starts its scenario once, in their chat', async () => {
  const id = context.newId();
  const filter = { all: [{ type: 'profile_tag', tag: 'new' }] };
  const about = { id, name: 'Newcomers', filter, authorId: id, authorName: null, now: clock.now() };
  await insertAudience(sql, projectId, about);
  await starting('Entered', 'Welcome to {{audience}}', { kind: 'audience', value: id });
  const { profile } = await partner.client('zoe');
  await lookAtAll(context);
  await change(profile, { tags: ['new'] });
  clock.advance(24 * 3_600_000);
  await lookAtAll(context);
  assert.deepEqual(await hears('zoe', 1), ['Welcome to Newcomers']);
  await lookAtAll(context);
  await settled();
  assert.equal(heard('zoe').length, 1);
});
