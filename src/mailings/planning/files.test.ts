import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { startFileServer } from '../../../test/faults/file-server.ts';
import {
  claimOne,
  never,
  problemsOf,
  recipientsOf,
  seedMailing,
  sendSome,
  startScene,
  stateOf,
} from '../../../test/planning-scene.ts';
import { seedChannel, seedChat, seedProfile, seedProject } from '../../../test/seed.ts';
import { startPlanning, workOn } from './engine.ts';
import { leaseMs } from './rules.ts';
import { takeStep } from './run.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

let answer: RequestListener;
const address = await startFileServer({ after }, (request, response) => answer(request, response));
const url = `${address}/list.csv`;
const serve = (text: string) => {
  answer = (_request, response) => response.end(text);
};

async function work(): Promise<void> {
  for (let held = await claimOne(context); held; held = await claimOne(context))
    await workOn(context, held, never);
}

test('a file’s lines become messages with their other columns; unusable lines are listed', async () => {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const [ann, bob] = [
    await seedProfile(sql, project, { external_id: '007' }),
    await seedProfile(sql, project, { external_id: 'b;ob' }),
  ];
  for (const profileId of [ann, bob]) await seedChat(sql, project, { channelId: channel, profileId });
  serve(
    '\uFEFFexternal_id;bonus;name\r\n007;12;Ann\r\nnobody;1;X\r\n"b;ob";;Bob\r\nshort\r\n007;13;Again\r\n',
  );
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
  await work();
  const rows = await sql`
    select profiles.external_id, content
    from messages join chats on chats.id = chat_id join profiles on profiles.id = profile_id
    where mailing_id = ${id} order by profiles.external_id`;
  assert.deepEqual(
    rows.map(({ external_id, content }) => [external_id, content.variables?.bonus, content.variables?.name]),
    [
      ['007', '12', 'Ann'],
      ['b;ob', '', 'Bob'],
    ],
  );
  const problems = await problemsOf(context, id);
  assert.deepEqual(
    problems.map(([line, text]) => [line, text]),
    [
      [3, 'nobody'],
      [5, 'short'],
    ],
  );
  assert.equal((await stateOf(context, id)).progress.problems, 2);
  await sendSome(context, id);
  clock.advance(1_000);
  await work();
  assert.equal(
    (await stateOf(context, id)).state_detail,
    '2 of the audience reached nobody. The first is number 3, "nobody": Nobody is known by this.',
  );
});

test('a quoted cell of a file and the same text in an array reach the same client', async () => {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const names = ['x', ' x', '\u00a0x\u2028', 'x\t'];
  for (const external_id of names) {
    const profileId = await seedProfile(sql, project, { external_id });
    await seedChat(sql, project, { channelId: channel, profileId });
  }
  for (const name of names) {
    serve(`external_id\n"${name}"\n`);
    const file = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
    const array = await seedMailing(context, project, { field: 'EXTERNAL_ID', array: [name] });
    await work();
    const found = await recipientsOf(context, file);
    assert.equal(found.length, 1);
    assert.deepEqual(found, await recipientsOf(context, array), JSON.stringify(name));
  }
});

test('spaces around the phone numbers and uuids of a file do not count, quoted or not', async () => {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const profile = await seedProfile(sql, project, { phone_number: '+15550001000' });
  await seedChat(sql, project, { channelId: channel, profileId: profile });
  for (const [field, identifier] of [
    ['UUID', profile],
    ['PHONE_NUMBER', '+15550001000'],
  ] as const) {
    for (const cell of [` ${identifier}\t`, `" ${identifier}\u00a0"`]) {
      serve(`${field.toLowerCase()}\n${cell}\n`);
      const id = await seedMailing(context, project, { field, customer_filter_file: url });
      await work();
      assert.deepEqual(await recipientsOf(context, id), [profile], cell);
    }
  }
});

test('the words of an unusable file are in the error of its mailing, and never in the log', async () => {
  const project = await seedProject(sql);
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  serve('+15550001000,Ann\n');
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
  for (let held = await claimOne(context); held; held = await claimOne(context))
    await workOn({ ...context, log }, held, never);
  assert.match((await stateOf(context, id)).state_detail ?? '', /Its columns: "\+15550001000", "Ann"/);
  assert.match(lines.join(''), new RegExp(`"mailing":"${id}".* is given up`));
  assert.doesNotMatch(lines.join(''), /15550001000|Ann/);
});

test('no line is lost between the blocks of a long file, and a thousand of its problems are listed', async () => {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const count = 12_001;
  const known: string[] = [];
  for (const place of [1, 2_500, 2_501, 4_999, 5_000, 5_001, 10_000, 10_001, count]) {
    const profileId = await seedProfile(sql, project, { external_id: `c${place}` });
    known.push(profileId);
    await seedChat(sql, project, { channelId: channel, profileId });
  }
  serve(`external_id\n${Array.from({ length: count }, (_, index) => `c${index + 1}`).join('\n')}\n`);
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
  await work();
  assert.deepEqual(await recipientsOf(context, id), known);
  assert.equal((await stateOf(context, id)).progress.problems, count - known.length);
  const problems = await problemsOf(context, id);
  assert.equal(problems.length, 1_000);
  assert.deepEqual(problems[0], [3, 'c2', 'Nobody is known by this.']);
  assert.deepEqual([...(await sql`select list from mailing_identifiers where mailing_id = ${id}`)], []);
});

test('a block of lines stays small, however much their cells and headings hold', async () => {
  const project = await seedProject(sql);
  const headings = Array.from({ length: 200 }, (_, index) => `${'h'.repeat(200)}${index}`);
  const line = (place: number) => `c${place},${headings.map(() => '').join(',')}`;
  serve(
    `external_id,${headings.join(',')}\n${Array.from({ length: 100 }, (_, place) => line(place)).join('\n')}\n`,
  );
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
  let held = await claimOne(context);
  while (held && held.stage !== 'planning') held = await takeStep(context, held, never);
  const blocks = await sql<{ lines: number; characters: number }[]>`
    select cardinality(identifiers) as lines, char_length(variables::text) as characters
    from mailing_identifiers where mailing_id = ${id}`;
  assert.equal(
    blocks.reduce((sum, { lines }) => sum + lines, 0),
    100,
  );
  assert.ok(Math.max(...blocks.map(({ characters }) => characters)) < 400_000);
});

test('a planner that dies over a file leaves no lines behind: the next one reads the current file', async () => {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const [ann, bob] = [await seedProfile(sql, project), await seedProfile(sql, project)];
  for (const profileId of [ann, bob]) await seedChat(sql, project, { channelId: channel, profileId });
  serve(`uuid\n${ann}\nnobody\n`);
  const id = await seedMailing(context, project, { field: 'UUID', customer_filter_file: url });
  const begun = await claimOne(context);
  const held = begun && (await takeStep(context, begun, never));
  const read = held && (await takeStep(context, held, never));
  assert.equal(read?.stage, 'planning');
  await sql`update mailings set stage = 'files' where id = ${id}`;
  clock.advance(25_000);
  serve(`uuid\n${bob}\n`);
  await work();
  assert.deepEqual(await recipientsOf(context, id), [bob]);
  assert.deepEqual(await problemsOf(context, id), []);
});

test('a bad file is an error with a sentence, and nothing is sent', async () => {
  const project = await seedProject(sql);
  for (const [text, reason] of [
    ['name\nAnn\n', /uuid/i],
    ['', /empty/],
    ['uuid\nx\n', /no line/],
  ] as const) {
    serve(text);
    const id = await seedMailing(context, project, { field: 'UUID', customer_filter_file: url });
    await work();
    const { state, state_detail, stage, due_at } = await stateOf(context, id);
    assert.deepEqual([state, stage, due_at], ['error', null, null], text);
    assert.match(state_detail, reason);
  }
  const inside = await seedMailing(context, project, {
    field: 'UUID',
    customer_filter_file: 'http://10.0.0.1/list.csv',
  });
  await work();
  assert.equal((await stateOf(context, inside)).state, 'error');
});

test('an unavailable file is fetched again later', async () => {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const ann = await seedProfile(sql, project);
  await seedChat(sql, project, { channelId: channel, profileId: ann });
  answer = (_request, response) => response.writeHead(503).end();
  const id = await seedMailing(context, project, { field: 'UUID', customer_filter_file: url });
  await work();
  assert.equal((await stateOf(context, id)).stage, 'files');
  serve(`uuid\n${ann}\n`);
  clock.advance(2_000);
  await work();
  assert.deepEqual(await recipientsOf(context, id), [ann]);

  answer = (_request, response) => response.writeHead(503).end();
  const lost = await seedMailing(context, project, { field: 'UUID', customer_filter_file: url });
  for (let looks = 0; looks < 30; looks += 1) {
    await work();
    clock.advance(20_000);
  }
  const { state, state_detail } = await stateOf(context, lost);
  assert.deepEqual([state, state_detail], ['error', "The file's server answered 503."]);
});

test('a slow file keeps its mailing', async () => {
  const project = await seedProject(sql);
  const asked = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  answer = async (_request, response) => {
    asked.resolve();
    await allowed.promise;
    response.end('external_id\nnobody\n');
  };
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', customer_filter_file: url });
  const planning = startPlanning(context);
  await asked.promise;
  clock.advance(leaseMs - 1);
  const keptUntil = async () => ((await stateOf(context, id)).due_at?.getTime() ?? 0) - clock.now().getTime();
  while ((await keptUntil()) !== leaseMs);
  allowed.resolve();
  while ((await stateOf(context, id)).state !== 'completed');
  await planning.stop();
});

test('phone numbers are a separate audience: chats and profiles are found or made, once', async () => {
  const project = await seedProject(sql);
  const template = { content_type: 'TEMPLATE_WHATSAPP', phone_numbers_file: url } as const;
  serve("phone\n+1 555 000 1000\n+1-555-000-1001\nhello\n'+15550001000\n+15550001002\n");
  const without = await seedMailing(context, project, template);
  await work();
  assert.equal((await stateOf(context, without)).state_detail, 'The project has no Whatsapp channel.');

  const whatsapp = await seedChannel(sql, project, 'Whatsapp');
  const known = await seedProfile(sql, project, { phone_number: '+15550001001' });
  const other = await seedProfile(sql, project);
  await seedChat(sql, project, {
    channelId: whatsapp,
    profileId: other,
    platform: 'Whatsapp',
    external_id: '+15550001002',
  });
  for (const run of [1, 2]) {
    const id = await seedMailing(context, project, template);
    await work();
    const rows = await sql`
      select chats.external_id, profile_id, content_type from messages join chats on chats.id = chat_id
      where mailing_id = ${id} order by chats.external_id`;
    assert.deepEqual(
      rows.map(({ external_id, content_type }) => [external_id, content_type]),
      ['+15550001000', '+15550001001', '+15550001002'].map((phone) => [phone, 'WHATSAPP_TEMPLATE']),
      `run ${run}`,
    );
    assert.deepEqual(
      rows.slice(1).map(({ profile_id }) => profile_id),
      [known, other],
    );
    assert.deepEqual(await problemsOf(context, id), [
      [4, 'hello', 'This is not a phone number with its country code.'],
    ]);
  }
  const audit =
    await sql`select action, actor_type, actor_name from profile_audit where project_id = ${project}`;
  assert.deepEqual([...audit], [{ action: 'created', actor_type: 'mailing', actor_name: 'Spring' }]);
});

test('each text takes a code, and a shortage is reported before anything is sent', async () => {
  const project = await seedProject(sql);
  const channel = await seedChannel(sql, project);
  const profiles: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const profile = await seedProfile(sql, project);
    profiles.push(profile);
    await seedChat(sql, project, { channelId: channel, profileId: profile });
  }
  const group = context.newId();
  await sql`insert into promocode_groups values (${project}, ${group}, 'Spring', ${clock.now()})`;
  const addCode = (code: string) => sql`
    insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
    values (${project}, ${context.newId()}, ${group}, ${code}, 'AVAILABLE', ${clock.now()}, ${clock.now()})`;
  await addCode('A');
  await addCode('B');
  const mailing = {
    text: 'Take {{promocode:Spring}}',
    field: 'UUID',
    array: [...profiles, ...profiles],
  } as const;
  const short = await seedMailing(context, project, { ...mailing, array: profiles });
  await work();
  const { state, state_detail } = await stateOf(context, short);
  assert.equal(state, 'error');
  assert.equal(
    state_detail,
    'The promo code group "Spring" has 2 codes left, and the mailing needs 3. Nothing was sent.',
  );
  assert.deepEqual(await recipientsOf(context, short), []);

  await addCode('C');
  const id = await seedMailing(context, project, { ...mailing, array: [...mailing.array] });
  await work();
  const rows = await sql`select content from messages where mailing_id = ${id}`;
  assert.deepEqual(rows.map(({ content }) => content.promocodes.Spring).sort(), ['A', 'B', 'C']);
  const issued = await sql`select from promocodes where project_id = ${project} and status = 'ISSUED'`;
  assert.equal(issued.length, 3);
  await sendSome(context, id);
  clock.advance(1_000);
  await work();
  assert.equal((await stateOf(context, id)).state, 'completed');
});
