import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { forgetLinks } from '../../access/iframe/store.ts';
import { createUser } from '../../access/operators/create-user.ts';
import { sha256 } from '../../platform/secrets/secret.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { context, call, address } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { id: operator } = await createUser(context, {
  projectId: partner.projectId,
  email: 'Anna@shop.test',
  role: 'operator',
  password: 'long enough',
});
const { profile } = await partner.client('ann', { phone: '+15550001111' });
const minuteMs = 60_000;

const create = (body: unknown, headers = partner.token) =>
  call('POST', '/api/partners/iframe/', { headers, body });

/** Creates a link; returns its path. */
async function newLink(body: object = { operator: { uuid: operator } }): Promise<string> {
  const { status, body: answer } = await create(body);
  assert.equal(status, 201, JSON.stringify(answer));
  return String(answer.url).replace('https://patchbay.test', '');
}

/** A browser with a jar for our one cookie. */
function newBrowser() {
  let cookie: string | undefined;
  return async (path: string, method = 'GET') => {
    const response = await fetch(address + path, {
      method,
      redirect: 'manual',
      headers: cookie === undefined ? {} : { cookie: `other=1; ${cookie}` },
    });
    const [set] = response.headers.getSetCookie();
    if (set) cookie = set.split(';')[0];
    const session = response.headers.get('content-location') ?? '';
    return { status: response.status, headers: response.headers, text: await response.text(), set, session };
  };
}

/** The only client that a session may see. */
async function heldTo(session: string): Promise<string | null> {
  const [row] = await sql`select profile_id from iframe_links where id = ${session.split('/').at(-2) ?? ''}`;
  return row?.profile_id;
}

test('a link lives for a quarter of an hour, and only its hash is stored', async () => {
  const { status, body, headers } = await create({ operator: { email: 'ANNA@shop.test' } });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body), ['url', 'expired_at']);
  assert.equal(body.expired_at, new Date(clock.now().getTime() + 15 * minuteMs).toISOString());
  assert.equal(headers.get('cache-control'), 'no-store');
  const token = /^https:\/\/patchbay\.test\/chat-center\/enter\/([\w-]{43})\/$/.exec(body.url)?.[1] ?? '';
  const [link] = await sql`select operator_id from iframe_links where token_hash = ${sha256(token)}`;
  assert.equal(link?.operator_id, operator);
});

test('the first browser gets a session, as often as it likes, and no other browser gets one', async () => {
  const link = await newLink();
  const [first, second] = [newBrowser(), newBrowser()];
  for (let n = 0; n < 2; n += 1) {
    const page = await first(link);
    assert.equal(page.status, 200);
    assert.ok(page.text.includes(`data-frame="${page.session.split('/').at(-2)}"`), page.text);
  }
  const shut = await second(link);
  assert.equal(shut.status, 403);
  assert.match(shut.text, /does not open here/);
});

test('a session is useless in another browser, or under another id', async () => {
  const [first, second] = [newBrowser(), newBrowser()];
  const { session } = await first(await newLink());
  await second(await newLink());
  assert.equal((await first(session)).status, 200);
  assert.equal((await second(session)).status, 403);
  assert.equal((await newBrowser()(session)).status, 403);
  for (const path of [randomUUID(), 'enter', 'x']) {
    assert.equal((await first(`/chat-center/${path}/`)).status, 403, path);
  }
});

test('HEAD reads a link, and does not open it', async () => {
  const link = await newLink();
  const head = await newBrowser()(link, 'HEAD');
  assert.deepEqual([head.status, head.set], [200, undefined]);
  const browser = newBrowser();
  assert.equal((await browser(link)).status, 200);
  assert.equal((await newBrowser()(link, 'HEAD')).status, 403);
  assert.equal((await browser(link, 'HEAD')).status, 200);
});

test('of many concurrent browsers one gets in', async () => {
  const link = await newLink();
  const pages = await Promise.all(Array.from({ length: 8 }, () => newBrowser()(link)));
  const late = await Promise.all(Array.from({ length: 8 }, () => newBrowser()(link)));
  assert.equal(pages.filter(({ status }) => status === 200).length, 1);
  assert.ok(late.every(({ status }) => status === 403));
});

test('one browser has several sessions side by side, each with its own client', async () => {
  const browser = newBrowser();
  const everybody = await newLink();
  const one = await newLink({ operator: { uuid: operator }, profile: { uuid: profile } });
  const unbound = (await browser(everybody)).session;
  const bound = (await browser(one)).session;
  for (const [session, held] of [
    [unbound, null],
    [bound, profile],
  ] as const) {
    const { text } = await browser(session);
    assert.ok(text.includes(`data-frame="${session.split('/').at(-2)}"`));
    assert.equal(await heldTo(session), held);
  }
});

test('a profile is named by any one of its identifiers', async () => {
  await sql`update profiles set external_id = 'crm-1' where id = ${profile}`;
  for (const named of [{ external_id: 'crm-1', uuid: null }, { phone_number: '+1 555 000 1111' }]) {
    const { session } = await newBrowser()(await newLink({ operator: { uuid: operator }, profile: named }));
    assert.equal(await heldTo(session), profile);
  }
});

test('the cookie works in frames of other sites, and only our host reads or sets it', async () => {
  const { set } = await newBrowser()(await newLink());
  const [value, ...attributes] = set?.split('; ') ?? [];
  assert.match(value ?? '', /^__Host-patchbay-browser=[\w-]{43}$/);
  assert.deepEqual(attributes, [
    'Path=/',
    'Max-Age=43200',
    'HttpOnly',
    'Secure',
    'SameSite=None',
    'Partitioned',
  ]);
});

test('the application’s own pages may frame the session, and its address does not leak', async () => {
  const { headers } = await newBrowser()(await newLink());
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self' https:\/\/crm\.test$/);
  assert.equal(headers.get('x-frame-options'), null);
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('an unknown email address makes one operator, who can enter only through links', async () => {
  const body = { operator: { email: 'New.Person@crm.test' } };
  const answers = await Promise.all(Array.from({ length: 4 }, () => create(body)));
  assert.ok(answers.every(({ status }) => status === 201));
  const made = await sql`
    select user_id, role, name from operators where project_id = ${partner.projectId}
    and email = 'new.person@crm.test'`;
  assert.deepEqual(
    made.map((row) => ({ ...row })),
    [{ user_id: null, role: 'operator', name: 'New.Person' }],
  );
});

const unknown = randomUUID();
const missing = (field: string, value: string) => [`Object with ${field}=${value} does not exist.`];
const exactlyOne = ['Exactly one of uuid, phone_number, external_id is required.'];
const required = ['This field is required.'];
const known = { uuid: operator };

const cases: [promise: string, body: unknown, complaint: unknown][] = [
  ['nothing', {}, { operator: required }],
  [
    'an operator who is not named',
    { operator: {} },
    { operator: { non_field_errors: ['Either uuid or email is required.'] } },
  ],
  ['an unknown operator', { operator: { uuid: unknown } }, { operator: { uuid: missing('uuid', unknown) } }],
  ['no uuid', { operator: { uuid: 'x' } }, { operator: { uuid: ['Must be a valid UUID.'] } }],
  ['no address', { operator: { email: 'anna' } }, { operator: { email: ['Enter a valid email address.'] } }],
  [
    'a profile that is not named',
    { operator: known, profile: {} },
    { profile: { non_field_errors: exactlyOne } },
  ],
  [
    'a profile named twice',
    { operator: known, profile: { uuid: profile, external_id: 'x' } },
    { profile: { non_field_errors: exactlyOne } },
  ],
  [
    'an unknown profile',
    { operator: known, profile: { uuid: unknown } },
    { profile: { uuid: missing('uuid', unknown) } },
  ],
  [
    'an unknown number',
    { operator: known, profile: { phone_number: '+15559990000' } },
    { profile: { phone_number: missing('phone_number', '+15559990000') } },
  ],
  [
    'an unknown external id',
    { operator: known, profile: { external_id: 'x' } },
    { profile: { external_id: missing('external_id', 'x') } },
  ],
];

test('an unknown operator or profile is refused, and no operator is created', async () => {
  for (const [promise, body, complaint] of cases) {
    const answer = await create(body);
    assert.deepEqual([answer.status, answer.body], [400, complaint], promise);
  }
  const nobody = { operator: { email: 'nobody@crm.test' }, profile: { uuid: unknown } };
  assert.equal((await create(nobody)).status, 400);
  const [made] = await sql`select count(*)::int as count from operators where email = 'nobody@crm.test'`;
  assert.equal(made?.count, 0);
});

test('a link needs a token, and another project’s people are unknown', async () => {
  assert.equal((await create({ operator: known }, partner.key)).status, 403);
  const foreign = await create({ operator: known }, stranger.token);
  assert.deepEqual([foreign.status, foreign.body], [400, { operator: { uuid: missing('uuid', operator) } }]);
});

test('a repeated request with the same key makes one link', async () => {
  const headers = { ...partner.token, 'idempotency-key': 'frame-1' };
  const [first, second] = [
    await create({ operator: known }, headers),
    await create({ operator: known }, headers),
  ];
  assert.deepEqual([second.status, second.body], [201, first.body]);
});

// The last test, because the partner's token expires meanwhile.
test('a link expires after its quarter of an hour, and the session half a day after it began', async () => {
  const browser = newBrowser();
  const link = await newLink();
  clock.advance(15 * minuteMs - 1);
  const { session } = await browser(link);
  clock.advance(1);
  assert.equal((await browser(link)).status, 403);
  clock.advance(12 * 60 * minuteMs - 2);
  assert.equal((await browser(session)).status, 200);
  await forgetLinks(sql, clock.now());
  clock.advance(1);
  assert.equal((await browser(session)).status, 403);
  await forgetLinks(sql, clock.now());
  const [left] = await sql`select count(*)::int as count from iframe_links`;
  assert.equal(left?.count, 0);
});
