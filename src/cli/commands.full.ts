import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { createGuards } from '../access/auth/guards.ts';
import { verifyPassword } from '../access/operators/password.ts';
import { loadChannel } from '../channels/connected/channels.ts';
import { housekeeping } from '../housekeeping.ts';
import { createVault } from '../platform/secrets/vault.ts';

type Outcome = { code: number | null; stdout: string; stderr: string };

const main = join(import.meta.dirname, '..', 'main.ts');
const secretKey = 'a key of the tests that is long enough';
const folder = mkdtempSync(join(tmpdir(), 'patchbay-cli-'));
after(() => rmSync(folder, { recursive: true }));

// The commands find the database running, as beside a server.
const database = await testDatabase({ after });
const { sql } = database;
const clock = { now: () => new Date() };

const environment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  PATCHBAY_SECRET_KEY: secretKey,
  PORT: '0',
  PUBLIC_URL: 'https://patchbay.test',
  ...database.environment,
};

async function patchbay(
  words: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const program = spawn(process.execPath, [main, ...words], { cwd: folder, env: { ...environment, ...env } });
  program.stdin.end(input);
  const [stdout, stderr] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'close'),
  ]);
  return { code: program.exitCode, stdout, stderr };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
async function answerOf(words: string[], input?: string): Promise<any> {
  const { code, stdout, stderr } = await patchbay([...words, '--json'], { input });
  assert.deepEqual([code, stderr], [0, ''], stderr);
  assert.match(stdout, /^\{.*\}\n$/, 'one object on one line, and nothing else');
  return JSON.parse(stdout);
}

async function complaintOf(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await patchbay([...words, '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.doesNotMatch(stderr, /\n {4}at /, 'no stack');
  return stderr.trim();
}

let project: { uuid: string; name: string; bot_key: string };
let application: { client_id: string; client_secret: string };

before(async () => {
  project = await answerOf(['project', 'create', 'Shop']);
  application = await answerOf([
    'app',
    'create',
    'CRM',
    '--redirect-uri',
    'https://a.example/',
    '--redirect-uri',
    'https://b.example/',
  ]);
});

const inProject = () => ['--project', project.uuid];
const guards = createGuards({ sql, clock });

test('project create prints a project and a working key', async () => {
  assert.deepEqual(Object.keys(project), ['uuid', 'name', 'bot_key']);
  assert.equal(project.name, 'Shop');
  const principal = await guards.requireKeyOrOAuth.admit({ 'bot-key': project.bot_key });
  assert.equal(principal.projectId, project.uuid);
});

test("app create registers every address, and token issue prints the token endpoint's answer", async () => {
  assert.deepEqual(Object.keys(application), ['client_id', 'client_secret']);
  const [stored] = await sql<{ redirect_uris: string[] }[]>`
    select redirect_uris from applications where id = ${application.client_id}`;
  assert.deepEqual(stored?.redirect_uris, ['https://a.example/', 'https://b.example/']);

  const tokens = await answerOf(['token', 'issue', '--app', application.client_id, ...inProject()]);
  assert.deepEqual(Object.keys(tokens), ['access_token', 'refresh_token', 'token_type', 'expires_in']);
  const principal = await guards.requireOAuth.admit({ authorization: `Bearer ${tokens.access_token}` });
  assert.deepEqual([principal.projectId, principal.applicationId], [project.uuid, application.client_id]);
});

test('project list prints every project with its name and time, the oldest first', async () => {
  const { uuid } = await answerOf(['project', 'create', 'A later one']);
  const { projects } = await answerOf(['project', 'list']);
  const rows = await sql<{ id: string; name: string; created_at: Date }[]>`
    select id, name, created_at from projects order by created_at, id`;
  assert.deepEqual(
    projects,
    rows.map(({ id, name, created_at }) => ({ uuid: id, name, created_at: created_at.toISOString() })),
  );
  assert.deepEqual([rows[0]?.id, rows.at(-1)?.id], [project.uuid, uuid]);
  const { stdout } = await patchbay(['project', 'list']);
  assert.deepEqual(
    stdout.trimEnd().split('\n'),
    rows.map(({ id, name, created_at }) => `${id}  ${created_at.toISOString()}  ${name}`),
  );
});

test('bot-key create prints another key of the project, under its name', async () => {
  const answer = await answerOf(['bot-key', 'create', ...inProject(), '--name', 'Loyalty']);
  assert.deepEqual(Object.keys(answer), ['bot_key']);
  const principal = await guards.requireKeyOrOAuth.admit({ 'bot-key': answer.bot_key });
  assert.equal(principal.projectId, project.uuid);
  const names = await sql<{ name: string }[]>`select name from bot_keys where project_id = ${project.uuid}`;
  assert.ok(names.some(({ name }) => name === 'Loyalty'));
});

test('user create reads the password from standard input, without its line end', async () => {
  const words = ['user', 'create', 'ann@shop.example', ...inProject(), '--role', 'admin', '--password-stdin'];
  const answer = await answerOf(words, 'correct horse\n');
  assert.deepEqual(Object.keys(answer), ['uuid', 'email']);
  assert.equal(answer.email, 'ann@shop.example');
  const [user] = await sql<{ password_hash: string; role: string }[]>`
    select password_hash, role from users join operators using (id) where id = ${answer.uuid}`;
  assert.equal(user?.role, 'admin');
  assert.ok(await verifyPassword('correct horse', user?.password_hash ?? ''));
});

test('channel add seals the secret settings, and prints the address for the provider', async () => {
  const settings = [
    '--set',
    'webhook_url=https://m.example/?a=b',
    '--set',
    'secret=planted-secret of 24 signs',
  ];
  const answer = await answerOf([
    'channel',
    'add',
    'API_Messenger',
    ...inProject(),
    '--name',
    'Chats',
    ...settings,
  ]);
  assert.deepEqual(answer, {
    uuid: answer.uuid,
    platform: 'API_Messenger',
    webhook_url: `https://patchbay.test/channels/${answer.uuid}/`,
  });
  const channel = await loadChannel({ sql, vault: createVault(secretKey) }, answer.uuid);
  assert.deepEqual(channel?.settings, {
    webhook_url: 'https://m.example/?a=b',
    secret: 'planted-secret of 24 signs',
  });
});

test('a setting is read from a file or from standard input, so that no secret is on the command line', async () => {
  const file = join(folder, 'secret.txt');
  writeFileSync(file, '@a secret out of a file, 24\n');
  const add = (set: string, input?: string) =>
    answerOf(
      [
        ...['channel', 'add', 'API_Messenger', ...inProject(), '--name', 'Chats'],
        ...['--set', 'webhook_url=https://m.example/', '--set', set],
      ],
      input,
    );
  const secretOf = async ({ uuid }: { uuid: string }) =>
    (await loadChannel({ sql, vault: createVault(secretKey) }, uuid))?.settings.secret;
  assert.equal(await secretOf(await add(`secret=@${file}`)), '@a secret out of a file, 24');
  assert.equal(
    await secretOf(await add('secret=-', 'a secret from a pipe, 24\r\n')),
    'a secret from a pipe, 24',
  );
  assert.equal(await secretOf(await add('secret=@@ begins this secret, 24')), '@ begins this secret, 24');
  const { code, stderr } = await patchbay(['channel', 'add', 'Telegram', '--set', 'bot_token=@none']);
  assert.deepEqual([code, /none cannot be read/.test(stderr)], [2, true]);
});

test('a channel with an address that cannot be called from here is added with a warning', async () => {
  const settings = [
    '--set',
    'webhook_url=http://127.0.0.1:8080/',
    '--set',
    'secret=a secret of 24 characters',
  ];
  const words = ['channel', 'add', 'API_Messenger', ...inProject(), '--name', 'Chats', ...settings];
  const { code, stderr } = await patchbay(words);
  assert.equal(code, 0);
  assert.match(stderr, /^Note: .*127\.0\.0\.1/);
  const allowed = await patchbay(words, { env: { PATCHBAY_ALLOW_OUTBOUND: '127.0.0.0/8' } });
  assert.deepEqual([allowed.code, allowed.stderr], [0, '']);
});

test('scenario import accepts a file, and importing it again keeps the id', async () => {
  const file = join(folder, 'welcome.json');
  writeFileSync(file, JSON.stringify({ name: 'Welcome', steps: [{ id: 'bye', type: 'end' }] }));
  const first = await answerOf(['scenario', 'import', file, ...inProject()]);
  const missing = { promocode_groups: [], scenarios: [], attributes: [], tags: [], audiences: [] };
  assert.deepEqual(first, { id: first.id, name: 'Welcome', version: 1, missing });
  assert.ok(Number.isInteger(first.id));
  assert.deepEqual(await answerOf(['scenario', 'import', file, ...inProject()]), first);
});

test('scenarios are listed and exported, at any of their versions', async () => {
  const file = join(folder, 'versions.json');
  const definition = (text: string) => ({ name: 'Versions', steps: [{ id: 'a', type: 'message', text }] });
  for (const text of ['one', 'two']) {
    writeFileSync(file, JSON.stringify(definition(text)));
    await answerOf(['scenario', 'import', file, ...inProject()]);
  }
  const { scenarios } = await answerOf(['scenario', 'list', ...inProject()]);
  const listed = scenarios.find(({ name }: { name: string }) => name === 'Versions');
  assert.deepEqual(listed, { id: listed.id, name: 'Versions', version: 2, running: 0 });
  const exported = (...words: string[]) => answerOf(['scenario', 'export', ...words, ...inProject()]);
  assert.deepEqual(await exported('Versions'), definition('two'));
  assert.deepEqual(await exported(String(listed.id), '--version', '1'), definition('one'));
  assert.match(
    await complaintOf('scenario', 'export', 'Versions', '--version', '3', ...inProject()),
    /There is no scenario "Versions" at version 3/,
  );
});

test('project scenarios sets the scenarios that clients start by writing', async () => {
  const set = (...words: string[]) => answerOf(['project', 'scenarios', ...inProject(), ...words]);
  const both = { welcome: 'Versions', keywords: { price: 'Versions' } };
  assert.deepEqual(await set('--welcome', 'Versions', '--keyword', ' PRICE =Versions'), both);
  assert.deepEqual(await set(), both);
  assert.deepEqual(await set('--welcome', '', '--keyword', 'price='), { welcome: null, keywords: {} });
  assert.match(
    await complaintOf('project', 'scenarios', ...inProject(), '--welcome', 'Nobody'),
    /There is no scenario "Nobody"/,
  );
});

test('scenario run plays a script, and exits with 1 when an expectation fails', async () => {
  const file = join(folder, 'run.json');
  writeFileSync(
    file,
    JSON.stringify({ name: 'Run', steps: [{ id: 'a', type: 'message', text: 'Hi {{who}}' }] }),
  );
  const run = (expected: string) =>
    patchbay(['scenario', 'run', file, '--script', '-', '--json'], {
      input: JSON.stringify({ params: { who: 'Ann' }, lines: [{ expect: expected }] }),
    });
  const passed = await run('Hi Ann');
  assert.equal(passed.code, 0);
  assert.deepEqual(JSON.parse(passed.stdout), {
    passed: true,
    transcript: ['bot:    Hi Ann', '        (the end)'],
    failures: [],
  });
  const failed = await run('Hi Bob');
  assert.deepEqual([failed.code, JSON.parse(failed.stdout).passed], [1, false]);
});

test('template, tag and attribute add print what they added, and templates are listed', async () => {
  const template = [
    'template',
    'add',
    ...inProject(),
    '--pid',
    'order',
    '--body',
    'Order {{number}} is ready',
  ];
  assert.deepEqual(await answerOf(template), { pid: 'order' });
  const order = {
    pid: 'order',
    body: 'Order {{number}} is ready',
    variables: ['number'],
    language: 'en',
    approval: 'approved',
  };
  assert.deepEqual(await answerOf(['template', 'list', ...inProject()]), { templates: [order] });
  assert.deepEqual(await answerOf(['tag', 'add', ...inProject(), 'vip']), { name: 'vip' });
  assert.deepEqual(await answerOf(['attribute', 'add', ...inProject(), 'city']), { name: 'city' });
  assert.deepEqual(await answerOf(['tag', 'add', ...inProject(), 'vip']), { name: 'vip' }, 'twice is once');
});

test('project set switches link tracking and session opening independently', async () => {
  const { uuid } = await answerOf(['project', 'create', 'Shop']);
  const kept = async () => {
    const [row] = await sql`
        select id as uuid, name, tracks_links, open_session_on_message, default_country, timezone,
          quiet_from, quiet_until, cap_messages, cap_days, leave_words, return_words, leave_answer, return_answer,
          test_above, needs_approval, conversion_days
        from projects where id = ${uuid}`;
    return { ...row };
  };
  const set = async (...words: string[]) => {
    const settings = await answerOf(['project', 'set', '--project', uuid, ...words]);
    assert.deepEqual(settings, await kept());
    return [settings.tracks_links, settings.open_session_on_message];
  };
  assert.deepEqual(await set(), [true, false]);
  assert.deepEqual(await set('--tracks-links', 'off'), [false, false]);
  assert.deepEqual(await set('--opens-sessions', 'on'), [false, true]);
  assert.deepEqual(await set('--tracks-links', 'on', '--opens-sessions', 'off'), [true, false]);
});

test('project webhook prints its secret, which stays when the address changes', async () => {
  const set = (url: string, kinds: string) =>
    answerOf(['project', 'webhook', ...inProject(), '--url', url, '--kinds', kinds]);
  const first = await set('https://hooks.example/a', 'MAILING_STATE,MAILING_REACTION');
  assert.match(first.secret, /^whsec_/);
  assert.deepEqual(first, {
    url: 'https://hooks.example/a',
    kinds: ['MAILING_STATE', 'MAILING_REACTION'],
    secret: first.secret,
  });
  const second = await set('https://hooks.example/b', 'MAILING_STATE');
  assert.deepEqual(second, {
    url: 'https://hooks.example/b',
    kinds: ['MAILING_STATE'],
    secret: first.secret,
  });
});

test('migrate prints the applied migrations, and doctor checks everything', async () => {
  assert.deepEqual(await answerOf(['migrate']), { applied: [] });
  const { ok, checks } = await answerOf(['doctor']);
  assert.equal(ok, true);
  assert.deepEqual(
    checks.map(({ name }: { name: string }) => name),
    [
      'node',
      'settings',
      'data folder',
      'database',
      ...(database.kind === 'server' ? ['connections'] : []),
      'migrations',
      'secret key',
      'addresses',
      'channels',
      ...housekeeping.map(() => 'job'),
      'public url',
      'port',
      'proxies',
      'outbound',
    ],
  );
});

test('doctor names a wrong key and bad settings with their remedies, and fails', async () => {
  const answerIn = async (env: Record<string, string>) => {
    const { code, stdout } = await patchbay(['doctor', '--json'], { env });
    assert.equal(code, 1);
    const { checks } = JSON.parse(stdout);
    return checks.filter(({ state }: { state: string }) => state === 'failed');
  };
  const [key] = await answerIn({ PATCHBAY_SECRET_KEY: 'another key of the tests, long enough too' });
  assert.equal(key.name, 'secret key');
  assert.match(key.remedy, /Restore PATCHBAY_SECRET_KEY/);
  assert.match(key.detail, /The settings of the channels were encrypted with another key/);
  const [outbound] = await answerIn({ PATCHBAY_ALLOW_OUTBOUND: 'what is this' });
  assert.equal(outbound.name, 'outbound');
  assert.match(outbound.remedy, /PATCHBAY_ALLOW_OUTBOUND/);
  const [settings] = await answerIn({ PORT: 'http' });
  assert.equal(settings.name, 'settings');
  const [unreachable] = await answerIn({ DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  assert.equal(unreachable.name, 'database');
  assert.match(unreachable.remedy, /DATABASE_URL/);
});

test('people get sentences with every secret that is shown once', async () => {
  const { code, stdout } = await patchbay(['project', 'create', 'Café']);
  assert.equal(code, 0);
  assert.match(stdout, /^Project "Café" is created\./);
  assert.match(stdout, /bot key {2}[0-9a-f-]{36}/);
});

test('missing or wrong input is refused in one sentence that says what to do', async () => {
  const missing = '00000000-0000-4000-8000-000000000000';
  assert.match(await complaintOf('channel', 'login', missing), /^There is no channel 0{8}-/);
  const noProject = /^There is no project .*\. Create one with: patchbay project create <name>$/;
  assert.match(await complaintOf('tag', 'add', 'x', '--project', missing), noProject);
  assert.match(await complaintOf('tag', 'add', 'x', '--project', 'no uuid'), noProject);
  assert.match(
    await complaintOf('token', 'issue', '--app', missing, ...inProject()),
    /^There is no application .*patchbay app create/,
  );
  assert.match(
    await complaintOf('channel', 'add', 'Pigeon', ...inProject(), '--name', 'x'),
    /^There is no channel for "Pigeon"\. Known channels: API_Messenger, /,
  );
  assert.match(
    await complaintOf(
      'channel',
      'add',
      'API_Messenger',
      ...inProject(),
      '--name',
      'x',
      '--set',
      'webhok_url=x',
    ),
    /^settings\.webhok_url: There is no such setting.*--set webhook_url=… {2}required\. Patchbay posts/s,
  );
  assert.match(
    await complaintOf('channel', 'add', 'API_Messenger', ...inProject(), '--name', 'x', '--set', 'secret=x'),
    /^settings\.webhook_url: This field is required\.\n/,
  );
  assert.match(
    await complaintOf('scenario', 'import', 'nowhere.json', ...inProject()),
    /^The file nowhere\.json cannot be read/,
  );
  assert.match(
    await complaintOf('app', 'create', 'x', '--redirect-uri', 'ftp://x'),
    /^redirect_uris: "ftp:\/\/x" is not/,
  );
  assert.match(
    await complaintOf('project', 'webhook', ...inProject(), '--url', 'https://x.example', '--kinds', 'STATE'),
    /^kinds: "STATE" is not a valid choice\.$/,
  );
});

test('an existing user is refused, and one from another project keeps the password', async () => {
  const create = (projectId: string) =>
    patchbay(
      [
        'user',
        'create',
        'Bob@shop.example',
        '--project',
        projectId,
        '--role',
        'operator',
        '--password-stdin',
      ],
      {
        input: 'a good password',
      },
    );
  assert.equal((await create(project.uuid)).code, 0);
  const again = await create(project.uuid);
  assert.deepEqual([again.code, again.stderr], [1, 'bob@shop.example is already in this project.\n']);
  const other = await answerOf(['project', 'create', 'Other']);
  const elsewhere = await create(other.uuid);
  assert.equal(elsewhere.code, 0);
  assert.match(elsewhere.stderr, /^Note: .*keeps the earlier password/);
});

test('wrong arguments are a usage error with exit code 2, and print nothing on standard output', async () => {
  for (const words of [
    ['nonsense'],
    ['project', 'create'],
    ['app', 'create', 'CRM'],
    ['user', 'create', 'x@y.z', ...inProject(), '--role', 'king', '--password-stdin'],
    ['user', 'create', 'x@y.z', ...inProject(), '--role', 'admin'],
    ['channel', 'add', 'Telegram', ...inProject(), '--name', 'x', '--set', 'token'],
  ]) {
    const { code, stdout, stderr } = await patchbay(words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr, /^error: /);
  }
});

test('user invite and user reset-password print a link to choose a password', async () => {
  const place = [...inProject(), '--role', 'operator'];
  const invited = await answerOf(['user', 'invite', 'new@shop.example', ...place]);
  assert.deepEqual(Object.keys(invited), ['uuid', 'email', 'link', 'mail']);
  assert.match(String(invited.link), /^http.*\/password\/[\w-]{43}\/$/);
  const reset = await answerOf(['user', 'reset-password', 'NEW@shop.example']);
  assert.match(String(reset.link), /\/password\/[\w-]{43}\/$/);
  const unknown = await patchbay(['user', 'reset-password', 'nobody@shop.example']);
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'There is no user nobody@shop.example.\n']);
});

test('user create --owner and user owner set the owners of the installation', async () => {
  const words = [
    'user',
    'create',
    'Olga@shop.example',
    ...inProject(),
    '--role',
    'operator',
    '--password-stdin',
  ];
  const { email } = await answerOf([...words, '--owner'], 'a good password');
  const isOwner = async () => (await sql`select is_owner from users where email = ${email}`)[0]?.is_owner;
  assert.equal(await isOwner(), true);
  assert.deepEqual(await answerOf(['user', 'owner', email, '--revoke']), { email, owner: false });
  assert.equal(await isOwner(), false);
  await answerOf(['user', 'owner', email]);
  assert.equal(await isOwner(), true);
});

test('a backup says what it holds, and a restore refuses the database that it came from', async () => {
  const file = join(folder, 'shop.backup');
  const saved = await patchbay(['backup', file, '--passphrase-stdin'], { input: 'open\n' });
  assert.equal(saved.code, 0, saved.stderr);
  assert.match(saved.stdout, /shop\.backup has \d+ rows and 0 files \(\d+\.\d MB\)\.\n$/);
  assert.match(saved.stderr, /^Note: Keep the secret key/);
  assert.match(await complaintOf('restore', file), /add --passphrase-stdin/);
  assert.match(await complaintOf('restore', join(folder, 'none')), /^There is no file/);
  assert.match(await complaintOf('backup', file), /^There is already a file/);
  const wrong = await patchbay(['restore', file, '--passphrase-stdin'], { input: 'shut\n' });
  assert.deepEqual(
    [wrong.code, wrong.stderr],
    [1, 'The backup does not open: the key is another one, or the file was altered.\n'],
  );
  const again = await patchbay(['restore', file, '--passphrase-stdin'], { input: 'open\n' });
  assert.equal(again.code, 1);
  // The running server has the embedded database.
  assert.match(
    again.stderr,
    /^100 % of the file is checked\n(The database is not empty|.*is in use by process)/,
  );
});

test('help exits with 0', async () => {
  const { code, stdout } = await patchbay(['--help']);
  assert.equal(code, 0);
  assert.match(stdout, /Usage: patchbay/);
});

test('bad settings of the environment are reported in a sentence', async () => {
  const { code, stderr } = await patchbay(['migrate'], { env: { PORT: 'http' } });
  assert.deepEqual([code, stderr], [1, 'PORT must be a port number, not "http".\n']);
});
