import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { createPartner, startPatchbay } from '../../test/harness.ts';
import { signIn } from '../../test/person.ts';
import { planAll } from '../../test/planning-scene.ts';
import { forgetLeftLists } from './arriving.ts';
import { addPiece, beginList } from './arriving-store.ts';
import { blockOf } from './identifiers.ts';

const clock = manualClock();
// Without workers: new mailings stay unchanged.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, partner);

const path = '/api/partners/mailings/';
const identifiers = Array.from({ length: 20_000 }, (_, index) => `${index}`.padStart(100, 'x'));
const long = {
  name: 'Long',
  text: 'Hello',
  customer_filter_field: 'EXTERNAL_ID',
  customer_filter_array: identifiers,
};
const create = (body: object) => call('POST', path, { headers: partner.key, body });

/** What each statement has inserted, with its transaction. */
await sql`create table inserted (place serial, list uuid, transaction xid8, characters integer)`;
await sql`
  create function note_inserted() returns trigger language plpgsql as $$
  begin
    insert into inserted (list, transaction, characters)
    select mailing_id, pg_current_xact_id(), sum(length(array_to_string(identifiers, ''))) from added
    group by mailing_id;
    return null;
  end $$`;
await sql`
  create trigger inserted after insert on mailing_identifiers referencing new table as added
  for each statement execute function note_inserted()`;
beforeEach(async () => void (await sql`delete from inserted`));

const ways: [string, () => Promise<{ status: number; body: { uuid: string } }>][] = [
  ['a program creates', () => create(long)],
  ['a person creates', () => call('POST', '/console/api/mailings/', { headers, body: long })],
  [
    'completes a draft',
    async () => {
      const { body } = await create({ name: 'Later' });
      return call('PUT', `/console/api/mailings/${body.uuid}/`, { headers, body: long });
    },
  ],
];

for (const [way, make] of ways) {
  test(`the long list of a mailing that ${way} is stored in pieces, each in a transaction of its own`, async () => {
    const { status, body } = await make();
    assert.ok(status < 300, `${status}`);
    const pieces = await sql<{ transaction: string; characters: number }[]>`select * from inserted`;
    const largest = Math.max(...pieces.map(({ characters }) => characters));
    assert.ok(largest <= 256 * 1024, `${largest} characters in one statement`);
    assert.equal(new Set(pieces.map(({ transaction }) => transaction)).size, pieces.length);
    const blocks = await sql<{ identifiers: string[]; last_line: number }[]>`
      select identifiers, last_line from mailing_identifiers where mailing_id = ${body.uuid} order by last_line`;
    assert.deepEqual(
      blocks.flatMap((block) => block.identifiers),
      identifiers,
    );
    assert.equal(blocks.at(-1)?.last_line, identifiers.length);
  });
}

test('long lists that a program sends at once are stored one after another', async () => {
  const answers = await Promise.all([create(long), create(long)]);
  const order = await sql<{ list: string }[]>`select list from inserted order by place`;
  const changes = order.filter(({ list }, index) => index > 0 && list !== order[index - 1]?.list);
  assert.deepEqual([answers.map(({ status }) => status), changes.length], [[201, 201], 1]);
});

const left = async (): Promise<[pieces: number, lists: number]> => {
  const [row] = await sql<[{ pieces: number; lists: number }]>`
    select (select count(*)::int from mailing_identifiers) as pieces,
      (select count(*)::int from arriving_lists) as lists`;
  return [row.pieces, row.lists];
};

test('a list without its mailing is never seen, and is deleted after an hour', async () => {
  await planAll(context);
  await sql`delete from mailing_identifiers`;
  const { body: before } = await call('GET', path, { headers: partner.key });
  // What a process leaves that is killed after the pieces.
  const list = { project_id: partner.projectId, id: context.newId() };
  const lines = identifiers
    .slice(0, 3)
    .map((identifier, index) => ({ line: index + 1, identifier, variables: null }));
  await beginList(sql, list, clock.now());
  await addPiece(sql, list, blockOf(lines));
  await planAll(context);
  const { body } = await call('GET', path, { headers: partner.key });
  assert.deepEqual(body, before);

  await forgetLeftLists(context);
  assert.deepEqual(await left(), [1, 1]);
  clock.advance(60 * 60 * 1_000 + 1);
  await forgetLeftLists(context);
  assert.deepEqual(await left(), [0, 0]);
  // The killed process only seemed to be.
  await addPiece(sql, list, blockOf(lines));
  assert.deepEqual(await left(), [0, 0]);
});

test('housekeeping leaves the lists of mailings', async () => {
  const { body } = await create({ ...long, customer_filter_array: ['ann'] });
  clock.advance(2 * 60 * 60 * 1_000);
  await forgetLeftLists(context);
  const lines = await sql`select from mailing_identifiers where mailing_id = ${body.uuid}`;
  assert.equal(lines.length, 1);
});

test('a mailing that cannot be stored leaves no list, and the next attempt with its key stores it', async () => {
  await sql`delete from mailing_identifiers`;
  await sql`alter table mailings add constraint no_long_ones check (name <> 'Long') not valid`;
  const own = { ...partner.key, 'idempotency-key': 'again' };
  const attempt = () =>
    call('POST', path, { headers: own, body: { ...long, customer_filter_array: ['ann'] } });
  assert.equal((await attempt()).status, 500);
  assert.deepEqual(await left(), [0, 0]);
  await sql`alter table mailings drop constraint no_long_ones`;
  const { status, body } = await attempt();
  assert.equal(status, 201);
  const again = await attempt();
  assert.deepEqual([again.status, again.body], [201, body]);
  assert.deepEqual(await left(), [1, 0]);
});

test('a change that comes too late leaves the list of the mailing as it is', async () => {
  await sql`delete from mailing_identifiers`;
  const { body } = await create({ name: 'Later' });
  const complete = (identifier: string) =>
    call('PUT', `/console/api/mailings/${body.uuid}/`, {
      headers,
      body: { ...long, customer_filter_array: [identifier] },
    });
  const answers = await Promise.all([complete('ann'), complete('bob')]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
  const named = answers[0].status === 200 ? 'ann' : 'bob';
  const blocks = await sql<{ identifiers: string[] }[]>`
    select identifiers from mailing_identifiers where mailing_id = ${body.uuid}`;
  assert.deepEqual(
    blocks.map((block) => block.identifiers),
    [[named]],
  );
  assert.deepEqual(await left(), [1, 0]);
});

test('a list that was forgotten gets no mailing', async () => {
  await sql`
    create function forget_it() returns trigger language plpgsql as $$
    begin delete from arriving_lists; return null; end $$`;
  await sql`
    create trigger forgets after insert on mailing_identifiers for each statement execute function forget_it()`;
  const { body: before } = await call('GET', path, { headers: partner.key });
  assert.equal((await create({ ...long, customer_filter_array: ['ann'] })).status, 500);
  await sql`drop trigger forgets on mailing_identifiers`;
  const { body } = await call('GET', path, { headers: partner.key });
  assert.deepEqual(body, before);
});
