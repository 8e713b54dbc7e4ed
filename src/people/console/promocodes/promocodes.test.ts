import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { planOf } from '../../../../test/plan.ts';
import { generateCodes } from '../../../clients/promocodes/generate-many.ts';
import { nearerEnd } from '../../../platform/outbound/nearer-end.ts';
import { idsOfCodes, idsReading } from './codes-store.ts';

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { call, context, longSql } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { projectId } = partner;
const admin = await signIn(context, { projectId });
const theirs = await signIn(context, { projectId: stranger.projectId });

const groups = '/console/api/promocode-groups/';
const ask = (method: string, path: string, body?: object, { headers } = admin) =>
  call(method, path, { headers, body });

const newGroup = async (name: string): Promise<string> => (await ask('POST', groups, { name })).body.uuid;

const stock = async (uuid: string) => {
  const { available, lapsed, issued } = (await ask('GET', `${groups}${uuid}/`)).body;
  return { available, lapsed, issued };
};

test('many codes are generated at once, each new to the project, and counted', async () => {
  const uuid = await newGroup('Spring');
  const body = { count: 1000, chars_count: 6, is_add_integers: true, prefix: 'S-' };
  const answers = await Promise.all([1, 2, 3].map(() => ask('POST', `${groups}${uuid}/generate/`, body)));
  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.body]),
    Array(3).fill([200, { made: 1000 }]),
  );
  const [row] = await sql<[{ codes: number; fitting: number }]>`
    select count(distinct code)::int as codes, (count(*) filter (where code ~ '^S-[A-Z0-9]{6}$'))::int as fitting
    from promocodes where group_id = ${uuid}`;
  assert.deepEqual(row, { codes: 3000, fitting: 3000 });
  assert.deepEqual(await stock(uuid), { available: 3000, lapsed: 0, issued: 0 });
  for (const count of [0, 1001]) {
    assert.equal((await ask('POST', `${groups}${uuid}/generate/`, { ...body, count })).status, 400);
  }
});

test('a format with few codes left makes fewer, and one with none is refused', async () => {
  const uuid = await newGroup('Narrow');
  // The format has only four codes.
  const form = { prefix: 'N', characters: 'AB', length: 2 };
  const batch = { projectId, groupId: uuid, expiresAt: null };
  assert.equal(await generateCodes(context, batch, form, 10), 4);
  await assert.rejects(generateCodes(context, batch, form, 10), /Hardly any codes/);
  assert.equal(await generateCodes(context, { ...batch, groupId: context.newId() }, form, 1), 'no_group');
});

test('an import reports the result of every line, and may be repeated', async () => {
  const [uuid, other] = [await newGroup('Imported'), await newGroup('Other')];
  await ask('POST', '/console/api/promocodes/', { code: 'ELSEWHERE', group: other });
  const lines = ['A1', ' B2 ', 'A1', '', 'ELSEWHERE', 'x'.repeat(1025), '😀'.repeat(1024), '=SUM(1)'];
  const send = () => ask('POST', `${groups}${uuid}/import/`, { lines });
  const fates = ['added', 'added', 'duplicate', 'blank', 'duplicate', 'too_long', 'added', 'added'];
  assert.deepEqual((await send()).body.results, fates);
  assert.deepEqual(
    (await send()).body.results,
    fates.map((fate) => (fate === 'added' ? 'duplicate' : fate)),
  );
  assert.deepEqual(await stock(uuid), { available: 4, lapsed: 0, issued: 0 });
});

test('of equal lines the first is added, in a list of any length', async () => {
  const uuid = await newGroup('Repeated');
  const codes = Array.from({ length: 500 }, (_, index) => `TWICE-${index}`);
  const { body } = await ask('POST', `${groups}${uuid}/import/`, {
    lines: [...codes, ...codes.toReversed()],
  });
  assert.deepEqual(body.results, [...codes.map(() => 'added'), ...codes.map(() => 'duplicate')]);
});

test('many codes are stored in pieces, and others have their turn at the database between', async () => {
  const uuid = await newGroup('Pieces');
  const body = { count: 1000, chars_count: 6, is_add_integers: true, prefix: 'P-' };
  assert.equal((await ask('POST', `${groups}${uuid}/generate/`, body)).status, 200);
  const lines = Array.from({ length: 1000 }, (_, line) => `PIECE-${line}`);
  assert.equal((await ask('POST', `${groups}${uuid}/import/`, { lines })).status, 200);
  const pieces = await sql<{ codes: number }[]>`
    select count(*)::int as codes from promocodes where group_id = ${uuid} group by xmin::text`;
  assert.deepEqual(
    pieces.map(({ codes }) => codes),
    Array(10).fill(200),
  );
});

test('an export has each code of the group once, and no formula that a spreadsheet would run', async () => {
  const uuid = await newGroup('Exported');
  const { chat } = await partner.client('buyer');
  const odd = ['=1+1', '@SUM(A1)', '-5', '+5', '＝1+1', '＠SUM(A1)', '－5', '＋5', 'a,b', 'say "hi"', 'ü😀'];
  await ask('POST', `${groups}${uuid}/import/`, { lines: odd });
  await longSql`
    insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
    select ${projectId}, gen_random_uuid(), ${uuid}, 'MANY' || n, 'AVAILABLE', now(), now()
    from generate_series(1, 12000) as n`;
  await ask('POST', '/console/api/promocodes/', { code: 'SOLD', group: uuid, issued_chat: chat });
  const { status, headers, body } = await ask('GET', `${groups}${uuid}/export/`);
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
  const rows: Record<string, string>[] = parse(body, { columns: true, bom: true });
  assert.equal(rows.length, 12_012);
  const codes = new Set(rows.map(({ code }) => code));
  assert.equal(codes.size, 12_012);
  for (const code of odd) assert.ok(codes.has(/^[=@+\-＝＠＋－]/.test(code) ? `'${code}` : code), code);
  const sold = rows.find(({ code }) => code === 'SOLD');
  assert.deepEqual([sold?.status, sold?.issued_chat], ['ISSUED', chat]);
  const russian = await ask('GET', `${groups}${uuid}/export/?language=ru`);
  assert.match(russian.body, /^\uFEFF?код,статус,выдан,действует до,создан,чат\r\n/);
});

test('a group counts available, expired and issued codes through all changes', async () => {
  const [uuid, other] = [await newGroup('Counted'), await newGroup('Moved to')];
  const { chat, profile } = await partner.client('ann');
  const code = async (text: string, rest = {}) =>
    (await ask('POST', '/console/api/promocodes/', { code: text, group: uuid, ...rest })).body.uuid;
  const ids = [await code('C1'), await code('C2'), await code('C3')];
  await code('OLD', { expires_at: '2020-01-01T00:00:00Z' });
  const patch = (id: string, body: object) => ask('PATCH', `/console/api/promocodes/${id}/`, body);
  assert.deepEqual(await stock(uuid), { available: 3, lapsed: 1, issued: 0 });
  await patch(ids[0], { issued_chat: chat });
  assert.deepEqual(await stock(uuid), { available: 2, lapsed: 1, issued: 1 });
  const issued = (await ask('GET', `${groups}${uuid}/codes/?status=ISSUED`)).body;
  assert.deepEqual(
    issued.results.map((row: { code: string; client: object }) => [row.code, row.client]),
    [['C1', { uuid: profile, title: 'ann' }]],
  );
  await patch(ids[0], { status: 'AVAILABLE' });
  await patch(ids[1], { group: other });
  await ask('DELETE', `/console/api/promocodes/${ids[2]}/`);
  assert.deepEqual(await stock(uuid), { available: 1, lapsed: 1, issued: 0 });
  assert.deepEqual(await stock(other), { available: 1, lapsed: 0, issued: 0 });
  const { results } = (await ask('GET', groups)).body;
  assert.deepEqual(results[1], { uuid, name: 'Counted', available: 1, lapsed: 1, issued: 0 });
});

test('codes are listed in the order of issue, from either end, and found by their text', async () => {
  const uuid = await newGroup('Listed');
  const lines = Array.from({ length: 9 }, (_, index) => `L${index}`);
  for (const line of lines) await ask('POST', `${groups}${uuid}/import/`, { lines: [line] });
  const soon = { lines: ['SOON'], expires_at: '2099-01-01T00:00:00Z' };
  await ask('POST', `${groups}${uuid}/import/`, soon);
  const list = async (query: string) => {
    const { body } = await ask('GET', `${groups}${uuid}/codes/?${query}`);
    return [body.count, ...body.results.map(({ code }: { code: string }) => code)];
  };
  assert.deepEqual(await list('limit=3'), [10, 'SOON', 'L0', 'L1']);
  assert.deepEqual(await list('limit=3&offset=3'), [10, 'L2', 'L3', 'L4']);
  assert.deepEqual(await list('limit=3&offset=6'), [10, 'L5', 'L6', 'L7']);
  assert.deepEqual(await list('limit=3&offset=9'), [10, 'L8']);
  assert.deepEqual(await list('code=l3'), [1, 'L3']);
  assert.deepEqual(await list('code=L'), [0]);
  assert.deepEqual(await list('code=%C5%BFoon'), [0], 'another letter that a database makes an S of');
});

test('a page of many codes, near or far, and a search for one, read an index and no table', async () => {
  const uuid = await newGroup('Crowd');
  await longSql`
    insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
    select ${projectId}, gen_random_uuid(), ${uuid}, 'CROWD' || n, 'AVAILABLE', now(), now()
    from generate_series(1, 2000) as n`;
  await sql`analyze promocodes`;
  for (const offset of [0, 900, 1_500]) {
    const page = nearerEnd(2_000, { limit: 25, offset });
    const plan = await planOf(sql, idsOfCodes(sql, projectId, uuid, 'AVAILABLE', page));
    assert.match(plan, /promocodes_in_order/);
    assert.doesNotMatch(plan, /Seq Scan|Sort/);
  }
  assert.match(await planOf(sql, idsReading(sql, projectId, uuid, 'crowd77')), /promocodes_code/);
});

test("another project's group is not found", async () => {
  const uuid = await newGroup('Ours');
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['GET', 'codes/'],
    ['GET', 'export/'],
    ['POST', 'generate/', { count: 1 }],
    ['POST', 'import/', { lines: ['X'] }],
  ];
  for (const [method, path, body] of calls) {
    const answer = await ask(method, `${groups}${uuid}/${path}`, body, theirs);
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Not found.' }], path);
  }
  assert.deepEqual((await ask('GET', groups, undefined, theirs)).body.results, []);
});
