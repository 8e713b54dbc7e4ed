import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { startPatchbay } from '../../test/harness.ts';
import { signIn } from '../../test/person.ts';
import { announced, seedApplication, seedEndpoint, seedProject } from '../../test/seed.ts';
import { browserWith } from '../../test/widget-harness.ts';
import { housekeeping } from '../housekeeping.ts';
import { createDemo, type Demo } from './create-demo.ts';
import { describeDemo } from './describe-demo.ts';

const patchbay = await startPatchbay({ after });
const { context, call } = patchbay;
const demo = await makeDemo();

async function makeDemo(): Promise<Demo> {
  const made = await createDemo(context);
  assert.ok(made);
  return made;
}

/** The attributes of the demo page's script tag. */
async function attributesOfPage(): Promise<Record<string, string>> {
  const { body } = await call('GET', '/demo/');
  return Object.fromEntries(
    [...body.matchAll(/data-([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
}

/** A browser that shows the demo page. */
async function openPage() {
  const { channel = '', user, 'user-hash': hash } = await attributesOfPage();
  const { body } = await call('POST', `/widget/${channel}/sessions/`, {
    body: { user: { id: user, hash } },
  });
  return browserWith(patchbay, channel, body.session);
}

/** Runs the curl command in a text as a shell would. */
async function runCurl(text: string, address: string): Promise<number> {
  const line = text.split('\n').find((part) => part.startsWith('curl '));
  assert.ok(line);
  const [, url = ''] = /(https?:\S+)/.exec(line) ?? [];
  const headers = [...line.matchAll(/-H '([^']+)'/g)].map(([, header = '']) => header.split(': '));
  const [, body = ''] = /-d '([^']+)'/.exec(line) ?? [];
  const response = await fetch(address + new URL(url).pathname, {
    method: 'POST',
    headers: Object.fromEntries(headers),
    body,
  });
  return response.status;
}

test('the printed command sends a message that arrives live on the demo page, before any visitor has written', async () => {
  const page = await openPage();
  const stream = page.live('0');
  const welcome = await stream.next();
  assert.match(welcome.value?.message.text ?? '', /real chat/);
  assert.equal((await page.get('messages/')).body.messages.length, 1);
  const arriving = stream.next();
  assert.equal(await runCurl(describeDemo(demo, context.config), patchbay.address), 201);
  assert.equal((await arriving).value?.message.text, 'Hello from Patchbay');
  await stream.return(undefined);
});

test('the printed text has the sign-in address, every key, and the command on one line', async () => {
  const text = describeDemo(demo, { publicUrl: 'https://chat.example' });
  for (const part of [demo.signInUrl, demo.ownerEmail, demo.botKey, demo.clientId, demo.clientSecret]) {
    assert.ok(text.includes(part));
  }
  assert.ok(demo.signInUrl.startsWith(`${context.config.publicUrl}/sign-in/`));
  const lines = text.split('\n').filter((line) => line.startsWith('curl '));
  assert.equal(lines.length, 1);
  assert.match(
    String(lines[0]),
    /^curl -X POST https:\/\/chat\.example\/api\/partners\/push-messages\/ .*'$/,
  );
});

test('an answer from the page is shown as the very event that a webhook gets', async () => {
  const { sql } = context;
  const [project] = await sql<{ id: string }[]>`select id from projects`;
  const endpointId = await seedEndpoint(sql, String(project?.id), await seedApplication(sql));
  assert.equal((await call('GET', '/demo/last-answer/')).status, 404);

  const page = await openPage();
  await page.write('00000000-0000-4000-a000-000000000001', 'It works');
  const { status, body } = await call('GET', '/demo/last-answer/');
  const [event] = await sql<{ body: string }[]>`select body from events where endpoint_id = ${endpointId}`;
  assert.equal(status, 200);
  assert.deepEqual(body, JSON.parse(String(event?.body)));
  assert.equal(body.payload.message.text, 'It works');
  assert.deepEqual(
    (await announced(sql, endpointId)).map(([type]) => type),
    ['message_created'],
  );
});

test('the page shows no secret', async () => {
  const { body, headers } = await call('GET', '/demo/');
  const { botKey, clientSecret, signInUrl } = demo;
  for (const secret of [botKey, clientSecret, signInUrl.split('/').at(-2) ?? ''])
    assert.ok(!body.includes(secret));
  assert.match(body, /&quot;bot-key: \$BOT_KEY&quot;/);
  assert.match(headers.get('content-security-policy') ?? '', /script-src 'self';/);
  for (const [, path] of body.matchAll(/(?:href|src)="(\/[^"]+)"/g)) {
    assert.equal((await call('GET', path)).status, 200, path);
  }
});

test('without the demo project the demo page is not found', async (t) => {
  const { call } = await startPatchbay(t);
  assert.equal((await call('GET', '/demo/')).status, 404);
  assert.equal((await call('GET', '/demo/last-answer/')).status, 404);
});

test('two processes that start at once make one demo', async (t) => {
  const { context } = await startPatchbay(t);
  const made = await Promise.all([createDemo(context), createDemo(context), createDemo(context)]);
  assert.equal(made.filter((demo) => demo !== null).length, 1);
  assert.equal(await createDemo(context), null);
  assert.equal((await context.sql`select from projects`).length, 1);
});

test('a demo that a crash has cut short is made anew', async (t) => {
  const clock = manualClock();
  const { context, call } = await startPatchbay(t, { clock });
  const cut = {
    ...context,
    vault: {
      ...context.vault,
      seal: () => {
        throw new Error('the power went');
      },
    },
  };
  await assert.rejects(createDemo(cut), /the power went/);
  assert.equal(await createDemo(context), null);
  assert.equal((await call('GET', '/demo/')).status, 404);
  clock.advance(60_000);
  assert.ok(await createDemo({ ...context }).catch((error) => assert.fail(error)));
  assert.equal((await call('GET', '/demo/')).status, 200);
});

test('an installation with a project, or with a server database, gets no demo', async (t) => {
  const { context } = await startPatchbay(t);
  const elsewhere = {
    ...context,
    config: { ...context.config, databaseUrl: 'postgres://db.example/patchbay' },
  };
  assert.equal(await createDemo(elsewhere), null);
  await seedProject(context.sql);
  assert.equal(await createDemo(context), null);
  assert.equal((await context.sql`select from demos`).length, 0);
});

test('the demo has clients with messages, tags and attributes', async () => {
  const profiles = await context.sql`
    select profiles.external_id, profiles.tags, profiles.attrs, array_agg(chats.platform) as platforms
    from profiles join chats on chats.profile_id = profiles.id
    group by profiles.external_id, profiles.tags, profiles.attrs order by profiles.external_id`;
  assert.deepEqual(
    profiles.map(({ external_id, platforms }) => [external_id, platforms]),
    [
      ['anna', ['Widget']],
      ['boris', ['Widget']],
      ['chiara', ['Widget']],
      ['demo', ['Widget']],
    ],
  );
  assert.deepEqual(
    [profiles[0]?.tags, profiles[0]?.attrs],
    [['regular'], { city: 'Malmö', favourite: 'Green tea' }],
  );
  assert.equal(
    (await call('GET', '/api/partners/push-messages/', { headers: { 'bot-key': demo.botKey } })).status,
    200,
  );
});

test('the printed keys end after a day, unless an administrator keeps them', async (t) => {
  for (const isKept of [false, true]) {
    const clock = manualClock();
    const other = await startPatchbay(t, { clock, config: { roles: ['api'] } });
    const made = await createDemo(other.context);
    assert.ok(made);
    const status = async () => {
      const asked = await other.call('GET', '/api/partners/profiles/', {
        headers: { 'bot-key': made.botKey },
      });
      const body = {
        grant_type: 'code',
        client_id: made.clientId,
        client_secret: made.clientSecret,
        code: 'x',
        redirect_uri: 'https://a.test/',
      };
      return [asked.status, (await other.call('POST', '/api/partners/oauth/', { body })).body.error];
    };
    const [project] = await other.context.sql<{ id: string }[]>`select id from projects`;
    const { headers } = await signIn(other.context, { projectId: project?.id ?? '' });
    const end = async () =>
      (await other.call('GET', '/console/api/home/', { headers })).body.demo_keys_end_at;
    assert.equal(await end(), new Date(clock.now().getTime() + 24 * 3_600_000).toISOString());
    if (isKept)
      assert.equal((await other.call('POST', '/console/api/home/demo-keys/', { headers })).status, 204);
    clock.advance(24 * 3_600_000 - 1);
    for (const job of housekeeping) await job.run(other.context, new AbortController().signal);
    assert.deepEqual(await status(), [200, 'invalid_grant']);
    clock.advance(1);
    for (const job of housekeeping) await job.run(other.context, new AbortController().signal);
    assert.deepEqual(await status(), isKept ? [200, 'invalid_grant'] : [401, 'invalid_client']);
  }
});

test('an installation without the demo setting gets no demo', async () => {
  assert.equal(await createDemo({ ...context, config: { ...context.config, hasDemo: false } }), null);
});
