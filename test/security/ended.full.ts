import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { formTokenOf } from '../../src/access/auth/session.ts';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { issueToken } from '../../src/access/oauth/issue-token.ts';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createBotKey } from '../../src/access/projects/bot-keys.ts';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { frameHeader } from '../../src/people/chat-center/guard.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { addRoutes } from '../../src/routes.ts';
import { newSession } from '../person.ts';
import { type Answer, send } from './answers.ts';
import { ask } from './ask.ts';
import { inConsole } from './console-probes.ts';
import { redirectUri } from './furnish.ts';
import { openSession } from './furnish-chats.ts';
import { addIframeLink } from './iframe-probes.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { changesNothing } from './rows.ts';
import { startScene } from './scene.ts';

/**
 * Every ended credential is tried on every route that it opened: right after its end, an hour later, and with a body
 * that was under way.
 */

const hourMs = 3_600_000;
const scene = await startScene({ after });
const { patchbay, clock, alpha, bravo } = scene;
const { context, address } = patchbay;
const { sql } = context;
const { projectId } = alpha;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);
const administrator = inConsole(alpha);

/** The same routes on a server that tells when it reads a body. */
const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
addRoutes(server, context);
const admitted = new Map<string, () => void>();
server.addHook('preParsing', async ({ id }) => admitted.get(id)?.());
const slowPort = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
after(() => server.close());

type Headers = Record<string, string>;
/** A valid credential, the routes that it opens, and the answer after its end. */
type Credential = { headers: Headers; opens: Probe[]; refusal: number; end(): Promise<unknown> };

const carrying = (...headers: Headers[]) => probes.filter((probe) => headers.includes(probe.headers));
const ofTokens = carrying(alpha.token, alpha.sharedToken);
const ofKeys = probes.filter(({ headers }) => 'bot-key' in headers);
const ofPeople = probes.filter(
  ({ route, headers }) => route.includes('/api/') && 'patchbay-project' in headers,
);
const inChatCenter = ofPeople.filter(({ route }) => route.includes(' /chat-center/'));

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const inBrowser = (token: string): Headers => ({ cookie: `__Host-patchbay-session=${token}` });
const manage = (method: string, path: string, body?: object) =>
  ask(patchbay, method, `/console/api/${path}`, administrator, body);

async function issued() {
  const application = await createApplication(context, {
    name: randomUUID(),
    redirectUris: [redirectUri],
    ownerId: projectId,
  });
  const tokens = await issueToken(context, { projectId, applicationId: application.clientId });
  return { application, tokens };
}

async function token(
  end: (given: Awaited<ReturnType<typeof issued>>) => Promise<unknown>,
): Promise<Credential> {
  const given = await issued();
  const headers = bearer(given.tokens.access_token);
  return { headers, opens: ofTokens, refusal: 0, end: () => end(given) };
}

const tokens: Record<string, () => Promise<Credential>> = {
  'of an application whose access was revoked': () =>
    token(({ application }) => manage('POST', `applications/${application.clientId}/revoke/`)),
  'of an application that was deleted': () =>
    token(({ application }) => manage('DELETE', `applications/${application.clientId}/`)),
  'whose refresh token was used twice': () =>
    token(async ({ application, tokens: { refresh_token } }) => {
      const body = {
        client_id: application.clientId,
        client_secret: application.clientSecret,
        grant_type: 'refresh_token',
        refresh_token,
      };
      const use = () => patchbay.call('POST', '/api/partners/oauth/', { body });
      await use();
      clock.advance(hourMs / 2);
      await use();
    }),
  'that has lapsed': () => token(async () => clock.advance(hourMs)),
};

async function key(end: (id: string) => Promise<unknown>): Promise<Credential> {
  const { id, key } = await createBotKey(context, { projectId, name: randomUUID() });
  return { headers: { 'bot-key': key }, opens: ofKeys, refusal: 401, end: () => end(id) };
}

const keys: Record<string, () => Promise<Credential>> = {
  'that was revoked': () => key((id) => manage('DELETE', `bot-keys/${id}/`)),
};

async function colleague() {
  const [email, password] = [`${randomUUID()}@${alpha.name}.test`, 'a password of theirs'];
  const { id: operatorId } = await createUser(context, { projectId, email, role: 'admin', password });
  const [account] = await sql<{ user_id: string }[]>`select user_id from operators where id = ${operatorId}`;
  const userId = account?.user_id ?? '';
  const [session, elsewhere] = [await newSession(context, userId), await newSession(context, userId)];
  return { operatorId, password, session, elsewhere };
}

type Colleague = Awaited<ReturnType<typeof colleague>>;

async function person(end: (who: Colleague) => Promise<unknown>, refusal = 401): Promise<Credential> {
  const who = await colleague();
  const headers = { ...inBrowser(who.session), 'patchbay-project': projectId };
  return { headers, opens: ofPeople, refusal, end: () => end(who) };
}

const signOut = (session: string, form: object) =>
  patchbay.call('POST', '/sign-out/', {
    headers: inBrowser(session),
    body: { token: formTokenOf(session), ...form },
  });

const people: Record<string, () => Promise<Credential>> = {
  'who has signed out': () => person(({ session }) => signOut(session, {})),
  'who has signed out everywhere': () =>
    person(({ elsewhere }) => signOut(elsewhere, { everywhere: 'true' })),
  'who has changed the password elsewhere': () =>
    person(({ elsewhere, password }) =>
      ask(patchbay, 'POST', '/console/api/account/password/', inBrowser(elsewhere), {
        current: password,
        password: 'another password of theirs',
      }),
    ),
  'who was removed from the project': () =>
    person(({ operatorId }) => manage('DELETE', `team/${operatorId}/`), 403),
  'who was away for a week': () => person(async () => clock.advance(7 * 24 * hourMs)),
};

async function frame(
  end: (given: Awaited<ReturnType<typeof issued>>, who: Colleague) => Promise<unknown>,
): Promise<Credential> {
  const [given, who] = [await issued(), await colleague()];
  const { browser, sessionId } = await addIframeLink(patchbay, {
    token: bearer(given.tokens.access_token),
    operatorId: who.operatorId,
    profileId: alpha.profileId,
  });
  const headers = { ...browser, [frameHeader]: sessionId };
  return { headers, opens: inChatCenter, refusal: 401, end: () => end(given, who) };
}

const frames: Record<string, () => Promise<Credential>> = {
  'of an application whose access was revoked': () =>
    frame(({ application }) => manage('POST', `applications/${application.clientId}/revoke/`)),
  'of an application that was deleted': () =>
    frame(({ application }) => manage('DELETE', `applications/${application.clientId}/`)),
  'of an operator who was removed': () =>
    frame((_given, { operatorId }) => manage('DELETE', `team/${operatorId}/`)),
  'that has lapsed': () => frame(() => sql`update iframe_links set session_expires_at = ${clock.now()}`),
};

async function visitor(end: (id: string) => Promise<unknown>, refusal: number): Promise<Credential> {
  const identitySecret = randomUUID();
  const { id } = await addChannel(context, {
    projectId,
    platform: 'Widget',
    name: randomUUID(),
    settings: { identity_secret: identitySecret },
  });
  const opens = carrying(alpha.visitor).map((probe) => ({
    ...probe,
    params: { ...probe.params, channel: id },
  }));
  const headers = await openSession(patchbay, { id, identitySecret }, `user-${alpha.name}`);
  return { headers, opens, refusal, end: () => end(id) };
}

const visitors: Record<string, () => Promise<Credential>> = {
  'of a widget that was deleted': () => visitor((id) => manage('DELETE', `channels/${id}/`), 404),
  'whose page’s key was changed': () =>
    visitor((id) => manage('POST', `widgets/${id}/identity-secret/`), 401),
};

async function provider(end: (id: string) => Promise<unknown>, refusal: number): Promise<Credential> {
  const secret = `${randomUUID()}${randomUUID()}`;
  const { id } = await addChannel(context, {
    projectId,
    platform: 'API_Messenger',
    name: randomUUID(),
    settings: { webhook_url: scene.webhookUrl, secret },
  });
  const opens = carrying(alpha.messenger.headers).map((probe) => ({
    ...probe,
    params: { ...probe.params, uuid: id },
  }));
  return { headers: bearer(secret), opens, refusal, end: () => end(id) };
}

const providers: Record<string, () => Promise<Credential>> = {
  'whose secret was changed': () =>
    provider((id) => {
      const settings = { webhook_url: scene.webhookUrl, secret: `${randomUUID()}${randomUUID()}` };
      return manage('PATCH', `channels/${id}/`, { settings });
    }, 403),
  'whose channel was deleted': () => provider((id) => manage('DELETE', `channels/${id}/`), 404),
};

const callAs = (probe: Probe, headers: Headers): Promise<Answer> =>
  send(address, requestOf({ ...probe, headers }));

/** The refusal's status: the given one, or else that of a call without credentials. */
const refusalOf = async (probe: Probe, refusal: number): Promise<number> =>
  refusal || (await callAs(probe, {})).status;

/** The live connections that the credential opens now. */
function liveOf({ headers, opens }: Credential): Promise<Response[]> {
  const live = opens.filter(({ route }) => route.endsWith('/live/'));
  return Promise.all(live.map((probe) => fetch(address + requestOf(probe).path, { headers })));
}

const ways = Object.entries({ tokens, keys, people, frames, visitors, providers }).flatMap(([kind, ends]) =>
  Object.entries(ends).map(([how, create]) => ({ name: `${kind} ${how}`, create })),
);

for (const { name, create } of ways) {
  test(`${name}: no route is open any more, right afterwards and an hour later`, async () => {
    const { headers, opens, refusal, end } = await create();
    assert.ok(opens.length > 0);
    await end();
    for (const laterMs of [0, hourMs]) {
      clock.advance(laterMs);
      await changesNothing(sql, [alpha, bravo], async () => {
        for (const probe of opens) {
          const { status, text } = await callAs(probe, headers);
          assert.equal(status, await refusalOf(probe, refusal), `${probe.route}: ${text}`);
        }
      });
    }
  });
}

/** Begins a call whose body lacks its last byte. Resolves when the server reads the body, or has answered without it. */
async function begin(probe: Probe, credential: Headers) {
  const { method, path, headers, body = {} } = requestOf({ ...probe, headers: credential });
  const [json, id] = [Buffer.from(JSON.stringify(body)), randomUUID()];
  const common = {
    'content-type': 'application/json',
    'content-length': json.length,
    'x-request-id': id,
  };
  const sent = request({ port: slowPort, method, path, headers: { ...common, ...headers } });
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once('error', reject);
  });
  const reading = new Promise<true>((resolve) => admitted.set(id, () => resolve(true)));
  sent.write(json.subarray(0, -1));
  const isRead = await Promise.race([reading, status.then(() => false)]);
  const finish = () => {
    sent.end(json.subarray(-1));
    return status;
  };
  return { probe, isRead, finish };
}

const takesBody = ({ route }: Probe): boolean => !route.startsWith('GET ');

for (const { name, create } of ways) {
  test(`${name}: a body that comes afterwards has no effect`, async () => {
    const { headers, opens, refusal, end } = await create();
    const begun = await Promise.all(opens.filter(takesBody).map((probe) => begin(probe, headers)));
    // Some calls are refused before their body: a frame reads quick answers, and changes none.
    const calls = begun.filter(({ isRead }) => isRead);
    assert.ok(calls.length > 0);
    await end();
    clock.advance(2_000);
    await changesNothing(sql, [alpha, bravo], async () => {
      const statuses = await Promise.all(calls.map(({ finish }) => finish()));
      for (const [index, { probe }] of calls.entries()) {
        assert.equal(statuses[index], await refusalOf(probe, refusal), probe.route);
      }
    });
  });
}

test('a live connection ends with its credential', async () => {
  // A credential that ends by time advances the clock, which ends the others, too.
  const [byTime = [], others = []] = [true, false].map((isSo) =>
    ways.filter(({ name }) => /lapsed|away/.test(name) === isSo),
  );
  let count = 0;
  for (const together of [others, ...byTime.map((way) => [way])]) {
    const ends: Promise<string>[] = [];
    for (const { create } of together) {
      const credential = await create();
      const live = await liveOf(credential);
      for (const { status } of live) assert.equal(status, 200);
      await credential.end();
      ends.push(...live.map((connection) => connection.text()));
    }
    await Promise.all(ends);
    count += ends.length;
  }
  assert.ok(count >= ways.filter(({ name }) => /people|frames|visitors/.test(name)).length);
});
