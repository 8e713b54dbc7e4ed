import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';

const path = '/api/partners/promocodes/';
const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { chat } = await partner.client('ann');
const { chat: strangersChat } = await stranger.client('bob');
const group = await createGroup('Spring');
const strangersGroup = await createGroup('Theirs', stranger.key);

async function createGroup(name: string, headers: Record<string, string> = partner.key) {
  const { body } = await call('POST', '/api/partners/promocode-groups/', { headers, body: { name } });
  return { uuid: String(body.uuid), name };
}

const create = (body: unknown, headers: Record<string, string> = partner.key) =>
  call('POST', path, { headers, body });
const at = (uuid: string) => `${path}${uuid}/`;
const read = async (uuid: string) => (await call('GET', at(uuid), { headers: partner.key })).body;
const patch = (uuid: string, body: unknown) => call('PATCH', at(uuid), { headers: partner.key, body });
const missing = (uuid: string) => [`Object with uuid=${uuid} does not exist.`];
const notFound = { detail: 'Not found.' };
const now = () => clock.now().toISOString();

let made = 0;
/** Makes a new code for one test, and returns its uuid. */
async function newCode(more: object = {}): Promise<string> {
  made += 1;
  const { status, body } = await create({ code: `CODE-${made}`, group: group.uuid, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
}

test('a new code is available, and is read with its group', async () => {
  const { status, body } = await create({
    code: 'SPRING-1',
    group: group.uuid.toUpperCase(),
    expires_at: '2026-12-31T23:00:00.5+01:00',
    status: 'ISSUED',
  });
  assert.equal(status, 201);
  const shared = {
    uuid: body.uuid,
    code: 'SPRING-1',
    status: 'AVAILABLE',
    issued_chat: null,
    issued_at: null,
    expires_at: '2026-12-31T22:00:00.500Z',
  };
  assert.deepEqual(body, { ...shared, group: group.uuid });
  const whole = { ...shared, group, created_at: now(), updated_at: now() };
  const answer = await call('GET', at(body.uuid), { headers: partner.token });
  assert.deepEqual([answer.status, answer.body], [200, whole]);
});

test('a code that is created for a chat is issued to it now', async () => {
  const { status, body } = await create({ code: 'FOR-ANN', group: group.uuid, issued_chat: chat });
  assert.equal(status, 201);
  assert.deepEqual(body, {
    uuid: body.uuid,
    code: 'FOR-ANN',
    status: 'ISSUED',
    group: group.uuid,
    issued_chat: chat,
    issued_at: now(),
    expires_at: null,
  });
  const { issued_chat, status: state } = await read(body.uuid);
  assert.deepEqual([state, issued_chat], ['ISSUED', { uuid: chat, platform: 'API_Messenger' }]);
});

const anyText = [
  ['1,024 characters of four bytes each', '😀'.repeat(1024)],
  ['another 1,024 of them', `${'😀'.repeat(1023)}🐟`],
  ['backslashes', '\\x41\\'],
  ['the unescaped form of those', 'A\\'],
  ['a space', ' '],
  ['lower case', 'spring-1'],
];

for (const [promise, code] of anyText) {
  test(`a code may be ${promise}`, async () => {
    const { status, body } = await create({ code, group: group.uuid });
    assert.equal(status, 201);
    assert.equal((await read(body.uuid)).code, code);
    const twin = await create({ code, group: group.uuid });
    assert.deepEqual([twin.status, twin.body], [400, { code: ['This field must be unique.'] }]);
  });
}

test('a code is unique in its project, whatever its group, and free in other projects', async () => {
  const other = await createGroup('Other');
  assert.equal((await create({ code: 'ONCE', group: group.uuid })).status, 201);
  assert.equal((await create({ code: 'ONCE', group: other.uuid })).status, 400);
  assert.equal((await create({ code: 'ONCE', group: strangersGroup.uuid }, stranger.key)).status, 201);
});

const required = ['This field is required.'];
const refused: [promise: string, body: object, complaint: unknown][] = [
  ['nothing', {}, { code: required, group: required }],
  ['an empty code', { code: '', group: group.uuid }, { code: ['This field may not be blank.'] }],
  [
    'a code that is too long',
    { code: '😀'.repeat(1025), group: group.uuid },
    { code: ['Ensure this field has no more than 1024 characters.'] },
  ],
  ['a group that is no uuid', { code: 'X', group: 'Spring' }, { group: ['Must be a valid UUID.'] }],
  ['an unknown group', { code: 'X', group: unknown }, { group: missing(unknown) }],
  [
    'a group of another project',
    { code: 'X', group: strangersGroup.uuid },
    { group: missing(strangersGroup.uuid) },
  ],
  [
    'an unknown chat',
    { code: 'X', group: group.uuid, issued_chat: unknown },
    { issued_chat: missing(unknown) },
  ],
  [
    'a chat of another project',
    { code: 'X', group: group.uuid, issued_chat: strangersChat },
    { issued_chat: missing(strangersChat) },
  ],
  [
    'an invalid moment',
    { code: 'X', group: group.uuid, expires_at: 'tomorrow' },
    {
      expires_at: [
        'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
      ],
    },
  ],
];

for (const [promise, body, complaint] of refused) {
  test(`a create with ${promise} is refused, and creates nothing`, async () => {
    const { status, body: answer } = await create(body);
    assert.deepEqual([status, answer], [400, complaint]);
    const rest = await create({ code: 'X', group: group.uuid });
    assert.equal(rest.status, 201);
    await call('DELETE', at(rest.body.uuid), { headers: partner.key });
  });
}

type Change = {
  promise: string;
  from?: 'available' | 'issued';
  body: object;
  expected: () => object;
};

const earlier = '2026-01-02T03:04:05.000Z';
const annsChat = { uuid: chat, platform: 'API_Messenger' };
const available = { status: 'AVAILABLE', issued_at: null, issued_chat: null };

/** An issued code was issued to the chat one minute before it is changed. */
const issuedAt = () => new Date(clock.now().getTime() - 60_000).toISOString();

const changes: Change[] = [
  { promise: 'nothing leaves it as it is', from: 'issued', body: {}, expected: () => ({}) },
  { promise: 'its code', body: { code: 'RENAMED' }, expected: () => ({ code: 'RENAMED' }) },
  {
    promise: 'its end',
    from: 'issued',
    body: { expires_at: earlier },
    expected: () => ({ expires_at: earlier }),
  },
  {
    promise: 'ISSUED issues it now',
    body: { status: 'ISSUED' },
    expected: () => ({ status: 'ISSUED', issued_at: now() }),
  },
  {
    promise: 'ISSUED with a moment issues it then',
    body: { status: 'ISSUED', issued_at: earlier },
    expected: () => ({ status: 'ISSUED', issued_at: earlier }),
  },
  {
    promise: 'ISSUED with a chat issues it to that chat',
    body: { status: 'ISSUED', issued_chat: { uuid: chat } },
    expected: () => ({ status: 'ISSUED', issued_at: now(), issued_chat: annsChat }),
  },
  {
    promise: 'ISSUED once more keeps its moment and chat',
    from: 'issued',
    body: { status: 'ISSUED' },
    expected: () => ({ issued_at: issuedAt(), issued_chat: annsChat }),
  },
  {
    promise: 'a chat alone issues it',
    body: { issued_chat: chat.toUpperCase() },
    expected: () => ({ status: 'ISSUED', issued_at: now(), issued_chat: annsChat }),
  },
  {
    promise: 'a moment of issue alone issues it',
    body: { issued_at: earlier },
    expected: () => ({ status: 'ISSUED', issued_at: earlier }),
  },
  {
    promise: 'AVAILABLE takes its moment and chat away',
    from: 'issued',
    body: { status: 'AVAILABLE' },
    expected: () => available,
  },
  {
    promise: 'AVAILABLE does so whatever else is said of its issue',
    from: 'issued',
    body: { status: 'AVAILABLE', issued_chat: chat, issued_at: earlier },
    expected: () => available,
  },
  {
    promise: 'no chat leaves it issued',
    from: 'issued',
    body: { issued_chat: null },
    expected: () => ({ issued_chat: null }),
  },
  {
    promise: 'no moment of issue means now while it is issued',
    from: 'issued',
    body: { issued_at: null },
    expected: () => ({ issued_at: now() }),
  },
  {
    promise: 'no moment and no chat change nothing while it is available',
    body: { issued_at: null, issued_chat: null },
    expected: () => available,
  },
  { promise: 'no end', body: { expires_at: null }, expected: () => ({ expires_at: null }) },
];

for (const { promise, from = 'available', body, expected } of changes) {
  test(`a change of a code that is ${from}: ${promise}`, async () => {
    const uuid = await newCode({ expires_at: earlier, ...(from === 'issued' && { issued_chat: chat }) });
    const before = await read(uuid);
    clock.advance(60_000);
    const { status, body: answer } = await patch(uuid, body);
    assert.deepEqual([status, answer], [200, { ...before, ...expected(), updated_at: now() }]);
    assert.deepEqual(await read(uuid), answer);
  });
}

test('a code moves to another group, given as a uuid or as an object', async () => {
  const [uuid, other] = [await newCode(), await createGroup('Autumn')];
  assert.deepEqual((await patch(uuid, { group: other.uuid })).body.group, other);
  assert.deepEqual((await patch(uuid, { group: { uuid: group.uuid } })).body.group, group);
  // A code always has a group and a name, so null changes nothing.
  assert.deepEqual((await patch(uuid, { group: null, code: null, status: null })).body.group, group);
});

test('a code may be renamed to its own name, but not to another code’s', async () => {
  const uuid = await newCode({ code: 'MINE' });
  await newCode({ code: 'TAKEN' });
  assert.equal((await patch(uuid, { code: 'MINE' })).status, 200);
  const { status, body } = await patch(uuid, { code: 'TAKEN', status: 'ISSUED' });
  assert.deepEqual([status, body], [400, { code: ['This field must be unique.'] }]);
  assert.deepEqual([(await read(uuid)).code, (await read(uuid)).status], ['MINE', 'AVAILABLE']);
});

const wrong: [body: object, complaint: unknown][] = [
  [{ code: '' }, { code: ['This field may not be blank.'] }],
  [{ status: 'USED' }, { status: ['"USED" is not a valid choice.'] }],
  [{ group: 'Spring' }, { group: ['Must be a valid UUID.'] }],
  [{ group: {} }, { group: { uuid: required } }],
  [{ group: { uuid: 'Spring' } }, { group: { uuid: ['Must be a valid UUID.'] } }],
  [{ group: unknown }, { group: missing(unknown) }],
  [{ group: { uuid: strangersGroup.uuid } }, { group: { uuid: missing(strangersGroup.uuid) } }],
  [{ issued_chat: 5 }, { issued_chat: ['Must be a valid UUID.'] }],
  [{ issued_chat: unknown }, { issued_chat: missing(unknown) }],
  [{ issued_chat: { uuid: strangersChat } }, { issued_chat: { uuid: missing(strangersChat) } }],
];

for (const [body, complaint] of wrong) {
  test(`a change to ${JSON.stringify(body)} is refused`, async () => {
    const uuid = await newCode();
    const before = await read(uuid);
    const { status, body: answer } = await patch(uuid, body);
    assert.deepEqual([status, answer], [400, complaint]);
    assert.deepEqual(await read(uuid), before);
  });
}

test('a deleted code is gone, and can be created again', async () => {
  const uuid = await newCode({ code: 'AGAIN' });
  assert.equal((await call('DELETE', at(uuid), { headers: partner.token })).status, 204);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const { status, body } = await call(method, at(uuid), { headers: partner.key });
    assert.deepEqual([status, body], [404, notFound], method);
  }
  await newCode({ code: 'AGAIN' });
});

test('another project’s code is as unknown as one that never existed', async () => {
  const ours = await newCode();
  for (const uuid of [ours, unknown, 'SPRING-1']) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { status: 'USED' } : undefined;
      const answer = await call(method, at(uuid), { headers: stranger.key, body });
      assert.deepEqual([answer.status, answer.body], [404, notFound], `${method} ${uuid}`);
    }
  }
  assert.equal((await read(ours)).uuid, ours);
});

test('a request without credentials learns nothing', async () => {
  const requests = [
    ['GET', path],
    ['POST', path],
    ['POST', `${path}generate/`],
    ['GET', at(unknown)],
    ['PATCH', at(unknown)],
    ['DELETE', at(unknown)],
  ] as const;
  for (const [method, where] of requests) {
    const { status, body } = await call(method, where);
    const complaint = { detail: 'Authentication credentials were not provided.' };
    assert.deepEqual([status, body], [401, complaint], `${method} ${where}`);
  }
});

test('a repeated key creates one code', async () => {
  const headers = { ...partner.key, 'idempotency-key': 'code-1' };
  const body = { code: 'KEYED', group: group.uuid };
  const [first, second] = [await create(body, headers), await create(body, headers)];
  assert.deepEqual([second.status, second.body], [201, first.body]);
  assert.equal(second.headers.get('idempotent-replay'), 'true');
  assert.equal((await create({ ...body, code: 'OTHER' }, headers)).status, 422);
});

test('the list has the project’s own codes, newest first, with their count', async (t) => {
  const { key } = await createPartner(t, patchbay);
  const own = await createGroup('Own', key);
  const codes = [];
  for (const code of ['A', 'B', 'C', 'D'])
    codes.push((await create({ code, group: own.uuid }, key)).body.uuid);
  await call('DELETE', at(codes[2]), { headers: key });
  const list = async (query: string) => (await call('GET', path + query, { headers: key })).body;
  const uuids = (body: { results: { uuid: string }[] }) => body.results.map(({ uuid }) => uuid);

  const whole = await list('');
  assert.deepEqual([whole.count, whole.next, whole.previous], [3, null, null]);
  assert.deepEqual(uuids(whole), [codes[3], codes[1], codes[0]]);
  assert.deepEqual(whole.results[2], (await call('GET', at(codes[0]), { headers: key })).body);
  const middle = await list('?limit=1&offset=1');
  assert.deepEqual(uuids(middle), [codes[1]]);
  assert.equal(middle.next, `https://patchbay.test${path}?limit=1&offset=2`);
  assert.equal(middle.previous, `https://patchbay.test${path}?limit=1`);
  assert.deepEqual(uuids(await list('?limit=2&offset=2')), [codes[0]]);
  assert.deepEqual(await list('?limit=2&offset=99'), {
    count: 3,
    next: null,
    previous: `https://patchbay.test${path}?limit=2&offset=97`,
    results: [],
  });
});

test('deleting a group deletes all of its codes, and no others', async (t) => {
  const { key, projectId } = await createPartner(t, patchbay);
  const [doomed, other] = [await createGroup('Doomed', key), await createGroup('Other', key)];
  const { body: kept } = await create({ code: 'KEPT', group: other.uuid }, key);
  // More codes than one piece of the deletion.
  await patchbay.longSql`
    insert into promocodes (project_id, id, group_id, code, status, created_at, updated_at)
    select ${projectId}, gen_random_uuid(), ${doomed.uuid}, n::text, 'AVAILABLE', ${clock.now()}, ${clock.now()}
    from generate_series(1, 12000) as n`;
  assert.equal((await call('GET', path, { headers: key })).body.count, 12_001);

  const where = `/api/partners/promocode-groups/${doomed.uuid}/`;
  assert.equal((await call('DELETE', where, { headers: key })).status, 204);
  const { count, results } = (await call('GET', path, { headers: key })).body;
  assert.deepEqual([count, results.map(({ uuid }: { uuid: string }) => uuid)], [1, [kept.uuid]]);
  assert.equal((await create({ code: '1', group: other.uuid }, key)).status, 201);
});

test('a running deletion refuses its own group’s codes and no others', twoSessions, async () => {
  const doomed = await createGroup('Doomed');
  const [creates] = await context.sql.begin(async (deletion) => {
    await deletion`delete from promocode_groups where id = ${doomed.uuid}`;
    const creates = Promise.all([
      create({ code: 'TOO-LATE', group: doomed.uuid }),
      create({ code: 'IN-TIME', group: group.uuid }),
    ]);
    await somebodyWaits(deletion);
    // In an array, because the transaction would wait for a promise.
    return [creates];
  });
  const [late, inTime] = (await creates) ?? [];
  assert.deepEqual([late?.status, late?.body], [400, { group: missing(doomed.uuid) }]);
  assert.equal(inTime?.status, 201);
});

test('of fifty concurrent creates of the same code one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      create({ code: 'RACE', group: group.uuid, expires_at: new Date(n * 1000).toISOString() }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(49).fill(400)]);
  for (const { status, body } of answers) {
    if (status === 400) assert.deepEqual(body, { code: ['This field must be unique.'] });
  }
});

test('of twenty codes that are renamed alike at once, one is renamed', async () => {
  const uuids = await Promise.all(Array.from({ length: 20 }, () => newCode()));
  const answers = await Promise.all(uuids.map((uuid) => patch(uuid, { code: 'ALIKE' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(400)]);
});

test('a code stays consistently issued or available under concurrent changes', async () => {
  const uuid = await newCode();
  const bodies = [
    { status: 'AVAILABLE' },
    { issued_chat: chat },
    { issued_at: earlier },
    { issued_chat: null },
  ];
  const answers = await Promise.all(
    Array.from({ length: 48 }, (_, n) => patch(uuid, bodies[n % bodies.length])),
  );
  assert.ok(answers.every((answer) => answer.status === 200));
  const { status, issued_at, issued_chat } = await read(uuid);
  assert.equal(status === 'ISSUED', issued_at !== null);
  if (status === 'AVAILABLE') assert.equal(issued_chat, null);
});

test('requests that share a statement do not spoil each other', async () => {
  const answers = await Promise.all([
    create({ code: 'TOGETHER', group: group.uuid }),
    create({ code: 'UNKNOWN-GROUP', group: unknown }),
    create({ code: 'UNKNOWN-CHAT', group: group.uuid, issued_chat: unknown }),
    create({ code: 'TOGETHER', group: strangersGroup.uuid }, stranger.key),
    create({ code: 'FOREIGN', group: strangersGroup.uuid }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 400, 400, 201, 400],
  );
});

test('codes that are created while their group is deleted go with it or are refused', async () => {
  const doomed = await createGroup('Doomed');
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => create({ code: `LATE-${n}`, group: doomed.uuid })),
    call('DELETE', `/api/partners/promocode-groups/${doomed.uuid}/`, { headers: partner.key }),
    ...Array.from({ length: 20 }, (_, n) => create({ code: `LATER-${n}`, group: doomed.uuid })),
  ]);
  for (const { status, body } of answers) {
    if (status === 400) assert.deepEqual(body, { group: missing(doomed.uuid) });
    else assert.ok(status === 201 || status === 204, JSON.stringify(body));
  }
  const left = await context.sql`select from promocodes where group_id = ${doomed.uuid}`;
  assert.equal(left.length, 0);
});

test('the count of codes is right after all that', async () => {
  const [{ count }] = await context.sql<[{ count: number }]>`
    select count(*) as count from promocodes where project_id = ${partner.projectId}`;
  assert.equal((await call('GET', path, { headers: partner.key })).body.count, count);
});
