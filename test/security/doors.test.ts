import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { identityHash } from '../../src/people/widget/rules.ts';
import { type Answer, send } from './answers.ts';
import { openSession } from './furnish-chats.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { changesNothing } from './rows.ts';
import { startScene } from './scene.ts';

/** The public entrances: visitors of widgets, and the channels' providers. */

const scene = await startScene({ after });
const { patchbay, alpha, bravo } = scene;
const { context, address } = patchbay;
const { sql } = context;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);
const visitorProbes = probes.filter(({ headers }) => headers === alpha.visitor);
const providerProbes = probes.filter(
  ({ route, headers }) => route.includes(' /channels/') && Object.keys(headers).length > 0,
);

const callAs = (probe: Probe, headers: Record<string, string>): Promise<Answer> =>
  send(address, requestOf({ ...probe, headers }));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('a forged session admits no visitor at a widget', async () => {
  const session = alpha.visitor.authorization.slice('Bearer '.length);
  const bytes = Buffer.from(session, 'base64url');
  const altered = [...bytes.keys()].map((at) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8((copy[at] ?? 0) ^ 1, at);
    return copy.toString('base64url');
  });
  const [sealed] = await sql<{ settings: Buffer; secrets: Buffer }[]>`
    select sealed_settings as settings, sealed_secrets as secrets from channels, endpoints
    where channels.id = ${alpha.widget.id} limit 1`;
  const others = [sealed?.settings, sealed?.secrets].map((value) => value?.toString('base64url') ?? '');
  const tokens = [
    ...altered,
    ...others,
    '',
    'x',
    session.slice(1),
    `${session}AAAA`,
    alpha.accessToken,
    alpha.botKey,
  ];
  const [probe] = visitorProbes;
  assert.ok(probe);
  for (const token of tokens) assert.equal((await callAs(probe, bearer(token))).status, 401, token);
  for (const probe of visitorProbes) {
    const wrong: Record<string, string>[] = [{}, alpha.token, { 'bot-key': alpha.botKey }];
    for (const headers of [...wrong, bearer(altered[40] ?? '')]) {
      assert.equal((await callAs(probe, headers)).status, 401, probe.route);
    }
  }
});

test('nobody without credentials makes the program parse a large body', async () => {
  const writes = probes.filter(({ route }) => !route.startsWith('GET '));
  for (const probe of writes) {
    const { method, path } = requestOf(probe);
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const body = '{'.repeat(70_000);
      const { status } = await fetch(address + path, { method, headers: { 'content-type': type }, body });
      assert.ok(
        [401, 403, 404, 405, 413, 429].includes(status),
        `${probe.route} answers ${type} with ${status}`,
      );
    }
  }
});

test('a session opens its own widget only, and another widget is as unknown to it as a missing one', async () => {
  const sibling = await addChannel(context, {
    projectId: alpha.projectId,
    platform: 'Widget',
    name: 'Sibling',
    settings: { identity_secret: alpha.widget.identitySecret },
  });
  const strangers = [
    bravo.visitor,
    await openSession(patchbay, { ...alpha.widget, id: sibling.id }, `user-${alpha.name}`),
  ];
  await changesNothing(sql, [alpha, bravo], async () => {
    for (const probe of visitorProbes) {
      const nowhere = await callAs({ ...probe, params: { channel: randomUUID() } }, alpha.visitor);
      for (const headers of strangers) {
        const answer = await callAs(probe, headers);
        assert.deepEqual([answer.status, answer.text], [404, '{"detail":"Not found."}'], probe.route);
        assert.deepEqual([answer.status, answer.text], [nowhere.status, nowhere.text]);
      }
    }
  });
});

test('the identity from one page means nothing to a widget of another project', async () => {
  for (const [project, other] of [
    [alpha, bravo],
    [bravo, alpha],
  ] as const) {
    const id = `user-${other.name}`;
    for (const hash of [
      identityHash(other.widget.identitySecret, id),
      identityHash('', id),
      '0'.repeat(64),
    ]) {
      const path = `/widget/${project.widget.id}/sessions/`;
      const answer = await send(address, { method: 'POST', path, headers: {}, body: { user: { id, hash } } });
      assert.deepEqual(
        [answer.status, answer.text],
        [400, '{"user":["The hash does not prove this identity."]}'],
      );
    }
  }
});

test('a visitor cannot mark a message of another chat, nor learn whether it exists', async () => {
  await changesNothing(sql, [alpha, bravo], async () => {
    for (const uuid of [bravo.connectorMessageId, alpha.connectorMessageId, bravo.pushId, randomUUID()]) {
      const path = `/widget/${alpha.widget.id}/receipts/`;
      const body = { state: 'read', messages: [uuid] };
      const answer = await send(address, { method: 'POST', path, headers: alpha.visitor, body });
      assert.deepEqual([answer.status, answer.text], [204, '']);
    }
  });
});

test('a channel accepts calls of its own provider only', async () => {
  const secret = alpha.messenger.secret;
  const wrong: Record<string, string>[] = [
    {},
    bravo.messenger.headers,
    bravo.telegram.headers,
    { 'x-telegram-bot-api-secret-token': alpha.telegram.botToken },
    { 'x-telegram-bot-api-secret-token': '' },
    ...[secret.slice(1), `${secret}x`, secret.toUpperCase(), `${secret},${secret}`, `"${secret}"`].map(
      bearer,
    ),
    { authorization: secret },
    { authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` },
    alpha.token,
    { 'bot-key': alpha.botKey },
    alpha.visitor,
  ];
  await changesNothing(sql, [alpha, bravo], async () => {
    for (const probe of providerProbes) {
      const isTelegram = probe.headers === alpha.telegram.headers;
      for (const headers of [...wrong, isTelegram ? alpha.messenger.headers : alpha.telegram.headers]) {
        const { status, text } = await callAs(probe, headers);
        assert.deepEqual(
          [status, text],
          [403, '{"detail":"Incorrect authentication credentials."}'],
          probe.route,
        );
      }
    }
  });
});

test('a receipt moves messages of its own channel only', async () => {
  const [sent] = await sql<{ id: string }[]>`
    select id from messages where project_id = ${bravo.projectId} and state = 'SENT' limit 1`;
  await changesNothing(sql, [alpha, bravo], async () => {
    for (const uuid of [sent?.id, bravo.pushId, randomUUID()]) {
      const path = `/channels/${alpha.messenger.id}/receipts/`;
      const body = { message: { uuid }, state: 'read' };
      const { status, text } = await send(address, {
        method: 'POST',
        path,
        headers: alpha.messenger.headers,
        body,
      });
      assert.deepEqual([status, text], [200, '{}']);
    }
  });
});
