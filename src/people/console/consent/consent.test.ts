import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const { sql } = context;

async function scene(t: TestContext) {
  const partner = await createPartner(t, patchbay);
  const { headers } = await signIn(context, { projectId: partner.projectId });
  const send = (method: string, path: string, body?: object) =>
    call(method, `/console/api/${path}`, { headers, ...(body && { body }) });
  const bring = (file: string) =>
    call('POST', '/console/api/suppressions/import/', {
      headers: { ...headers, 'content-type': 'text/csv' },
      body: file,
    });
  return { partner, send, bring };
}

const limit = { timeout: 60_000 };

test(
  'ten thousand lines are imported, bad ones are returned with their numbers, and a repetition adds none',
  limit,
  async (t) => {
    const { send, bring } = await scene(t);
    await send('PATCH', 'settings/', { default_country: 'RU' });
    const lines = Array.from({ length: 10_000 }, (_, n) => `8 (916) ${String(1_000_000 + n)}`);
    lines[4] = 'nonsense';
    lines[99] = 'Ann@Shop.Example';
    lines[7_000] = '12';
    lines[9_999] = lines[9_998] ?? '';
    const told = await bring(lines.join('\r\n'));
    assert.equal(told.status, 200, JSON.stringify(told.body).slice(0, 500));
    const { added, known, problem_count, problems } = told.body;
    assert.deepEqual([added, known, problem_count], [9_997, 1, 2]);
    assert.deepEqual(
      problems.map(({ line, text }: { line: number; text: string }) => [line, text]),
      [
        [5, 'nonsense'],
        [7_001, '12'],
      ],
    );
    const again = await bring(lines.join('\n'));
    assert.deepEqual([again.body.added, again.body.known], [0, 9_998]);
    const list = await send('GET', 'suppressions/?limit=2');
    assert.deepEqual([list.body.count, list.body.results.length], [9_997, 2]);
    const found = await send('GET', 'suppressions/?search=7916100000');
    assert.deepEqual([found.body.count, found.body.results[0].address], [9, '+79161000000']);
    const email = await send('GET', 'suppressions/?search=ANN@');
    assert.deepEqual(
      email.body.results.map(({ address, platform, way }: { [name: string]: string }) => [
        address,
        platform,
        way,
      ]),
      [['ann@shop.example', null, 'import']],
    );
  },
);

test(
  'six large imports of one project at once leave others their turns at the database',
  limit,
  async (t) => {
    const { bring } = await scene(t);
    const [files, lines] = [6, 10_000];
    let isDone = false;
    const imports = Promise.all(
      Array.from({ length: files }, (_, file) =>
        bring(Array.from({ length: lines }, (_, n) => `+7916${1_000_000 + file * lines + n}`).join('\n')),
      ),
    ).finally(() => {
      isDone = true;
    });
    let turns = 0;
    while (!isDone) {
      await sql`select from projects limit 1`;
      turns += 1;
    }
    assert.deepEqual(
      (await imports).map(({ body }) => body.added),
      Array(files).fill(lines),
    );
    assert.ok(turns >= 60, `others had ${turns} turns`);
  },
);

test('an export starts no formula, and an import of it adds what it had', limit, async (t) => {
  const { send, bring } = await scene(t);
  const other = await scene(t);
  await bring(
    'address,platform\n+12025550123,\nann@shop.example,\n=1+2,telegram\n@ann,VIBER\n-5,Max\nx,Nowhere',
  );
  const { body } = await send('GET', 'suppressions/export/');
  const cells = String(body)
    .trim()
    .split('\r\n')
    .map((line) => line.split(',').slice(0, 2));
  assert.deepEqual(cells, [
    ['address', 'platform'],
    ["'+12025550123", ''],
    ['ann@shop.example', ''],
    ["'=1+2", 'Telegram'],
    ["'@ann", 'Viber'],
    ["'-5", 'Max'],
  ]);
  const told = await other.bring(String(body));
  assert.deepEqual([told.body.added, told.body.problem_count], [5, 0]);
  const again = await other.send('GET', 'suppressions/export/');
  assert.deepEqual(
    String(again.body)
      .split('\r\n')
      .map((line) => line.split(',').slice(0, 2))
      .slice(1, 6),
    cells.slice(1),
  );
});

test('a file in the language of the person who exports it can be imported, too', limit, async (t) => {
  const { send, bring } = await scene(t);
  const other = await scene(t);
  await bring('address,platform\n+12025550123,\n@ann,VIBER');
  const { body } = await send('GET', 'suppressions/export/?language=ru');
  assert.equal(String(body).split('\r\n')[0]?.replace('\uFEFF', ''), 'адрес,платформа,добавлен,способ');
  const told = await other.bring(String(body));
  assert.deepEqual([told.body.added, told.body.problem_count], [2, 0]);
});

test('an address is added, refused twice, and removed', limit, async (t) => {
  const { send } = await scene(t);
  assert.equal((await send('POST', 'suppressions/', { address: '+1 202 555 0123' })).status, 204);
  const twice = await send('POST', 'suppressions/', { address: '+12025550123' });
  assert.deepEqual([twice.status, twice.body], [400, { address: ['This field must be unique.'] }]);
  const bad = await send('POST', 'suppressions/', { address: 'ann' });
  assert.equal(bad.status, 400);
  const [row] = (await send('GET', 'suppressions/')).body.results;
  assert.equal((await send('DELETE', `suppressions/${row.uuid}/`)).status, 204);
  assert.equal((await send('DELETE', `suppressions/${row.uuid}/`)).status, 404);
  assert.equal((await send('GET', 'suppressions/')).body.count, 0);
});

test('an address on a platform is listed as the clients there have it', limit, async (t) => {
  const { send } = await scene(t);
  const given = [
    ['Ann@Пример.Example', 'Email', 'ann@xn--e1afmkfd.example'],
    ['Bob@Пример.Example', '', 'bob@xn--e1afmkfd.example'],
    ['+1 (202) 555-0123', 'Whatsapp', '+12025550123'],
    ['@Cleo', 'Telegram_Personal', '@cleo'],
    ['Dan 4', 'Widget', 'Dan 4'],
  ];
  for (const [address, platform] of given) {
    assert.equal((await send('POST', 'suppressions/', { address, platform: platform || null })).status, 204);
  }
  const { results } = (await send('GET', 'suppressions/')).body;
  assert.deepEqual(
    results.map(({ address }: { address: string }) => address).toReversed(),
    given.map(([, , listed]) => listed),
  );
});

test('a topic has a name of its own, and stays while a mailing is about it', limit, async (t) => {
  const { partner, send } = await scene(t);
  const made = await send('POST', 'topics/', { name: 'Sales', words: ['No Sales', 'no sales '] });
  assert.deepEqual(made.body.words, ['no sales']);
  assert.deepEqual((await send('POST', 'topics/', { name: 'SALES' })).body, {
    name: ['This field must be unique.'],
  });
  const mailing = await call('POST', '/api/partners/mailings/', {
    headers: partner.key,
    body: { name: 'Sale', topic: 'Sales' },
  });
  assert.equal(mailing.status, 201, JSON.stringify(mailing.body));
  assert.equal((await send('GET', `mailings/${mailing.body.uuid}/`)).body.topic, 'Sales');
  const refused = await send('DELETE', `topics/${made.body.uuid}/`);
  assert.equal(refused.body.detail, 'A mailing is about this topic.');
  const unknown = await call('POST', '/api/partners/mailings/', {
    headers: partner.key,
    body: { name: 'Sale', topic: 'Nothing' },
  });
  assert.deepEqual(unknown.body, { topic: ['Object with name=Nothing does not exist.'] });
  const free = await send('POST', 'topics/', { name: 'News' });
  assert.equal((await send('DELETE', `topics/${free.body.uuid}/`)).status, 204);
  assert.equal((await send('GET', 'topics/')).body.results.length, 1);
});

test('a word of the project or of a topic means one thing', limit, async (t) => {
  const { send } = await scene(t);
  const { uuid } = (await send('POST', 'topics/', { name: 'Sales', words: ['no sales'] })).body;
  const refusal = (word: string) => [`"${word}" already means something else.`];
  for (const word of ['start', 'stop', 'no sales']) {
    const made = await send('POST', 'topics/', { name: 'News', words: ['no news', word] });
    assert.deepEqual(made.body, { words: refusal(word) });
  }
  assert.equal((await send('PUT', `topics/${uuid}/`, { name: 'Sales', words: ['no sales'] })).status, 200);
  for (const [body, answer] of [
    [{ leave_words: ['No sales'] }, { leave_words: refusal('no sales') }],
    [{ return_words: ['no sales'] }, { return_words: refusal('no sales') }],
    [{ leave_words: ['start'] }, { leave_words: refusal('start') }],
    [{ return_words: ['stop'] }, { return_words: refusal('stop') }],
    [{ leave_words: ['go'], return_words: ['go'] }, { leave_words: refusal('go') }],
  ] as const) {
    assert.deepEqual((await send('PATCH', 'settings/', body)).body, answer);
  }
  const swapped = await send('PATCH', 'settings/', { leave_words: ['start'], return_words: ['stop'] });
  assert.equal(swapped.status, 200);
});

test('the team changes what a client wants, and sees when and how the client left', limit, async (t) => {
  const { partner, send } = await scene(t);
  const { uuid } = (await send('POST', 'topics/', { name: 'Sales' })).body;
  const { profile, chat } = await partner.client('ann');
  const path = `profiles/${profile}/consent/`;
  const left = await send('POST', path, { topic: uuid, subscribed: false });
  assert.deepEqual([left.body.everything, left.body.topics[0].left.by], [null, 'operator']);
  await send('POST', path, { subscribed: false });
  assert.equal((await send('GET', path)).body.everything.by, 'operator');
  const [row] = await sql`select unsubscribed_at from chats where id = ${chat}`;
  assert.notEqual(row?.unsubscribed_at, null);
  const back = await send('POST', path, { subscribed: true });
  assert.deepEqual([back.body.everything, back.body.topics[0].left], [null, null]);
});
