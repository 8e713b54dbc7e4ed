import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../../test/free-port.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { addChannel, channelAddress } from '../../connected/channels.ts';

const example = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'examples', 'messenger.mjs');

async function startMessenger(t: TestContext, env: { [name: string]: string }) {
  const messenger = spawn(process.execPath, [example], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(messenger, 'exit');
  t.after(async () => {
    messenger.kill();
    await ended;
  });
  const lines = createInterface({ input: messenger.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'listening');
  return { messenger, lines };
}

for (const secret of ['a plain word of many letters', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
  test(`the documented messenger of forty lines works, with the secret "${secret.slice(0, 7)}…"`, async (t) => {
    const patchbay = await startPatchbay(t);
    const { call, context } = patchbay;
    const partner = await createPartner(t, patchbay);
    const port = await freePort();
    const { id } = await addChannel(context, {
      projectId: partner.projectId,
      platform: 'API_Messenger',
      name: 'Own',
      settings: { webhook_url: `http://127.0.0.1:${port}/`, secret },
    });
    const { messenger, lines } = await startMessenger(t, {
      SECRET: secret,
      PORT: String(port),
      CHANNEL_URL: channelAddress(patchbay.address, { id, settings: {} }),
    });

    messenger.stdin.write('Hello from Ann\n');
    const profile = async () => {
      const { body } = await call('GET', '/api/partners/profiles/', { headers: partner.key });
      return body.results[0];
    };
    while (!(await profile()));
    const { chats } = await profile();
    const { status, body } = await call('POST', '/api/partners/push-messages/', {
      headers: partner.key,
      body: { chat: { uuid: chats[0].uuid }, content: { type: 'TEXT', text: 'Your parcel is here.' } },
    });
    assert.equal(status, 201);
    assert.equal((await lines.next()).value, 'to ann: Your parcel is here.');
    const state = async () =>
      (await call('GET', `/api/partners/push-messages/${body.uuid}/`, { headers: partner.key })).body.state
        .code;
    while ((await state()) !== 'DELIVERED');
  });
}

test('the documented messenger repeats a message that Patchbay cannot take yet, or did not answer', async (t) => {
  const bodies: string[] = [];
  const three = Promise.withResolvers<void>();
  const busy = createHttpServer(async (request, response) => {
    bodies.push(await text(request));
    if (bodies.length === 1) response.writeHead(503).end();
    else if (bodies.length === 2) response.destroy();
    else {
      response.writeHead(201).end('{}');
      three.resolve();
    }
  }).listen(0, '127.0.0.1');
  t.after(() => busy.close());
  await once(busy, 'listening');
  const address = busy.address();
  assert.ok(address !== null && typeof address === 'object');
  const { messenger } = await startMessenger(t, {
    PORT: String(await freePort()),
    CHANNEL_URL: `http://127.0.0.1:${address.port}/`,
  });
  messenger.stdin.write('Hello from Ann\n');
  await three.promise;
  assert.deepEqual([bodies[1], bodies[2]], [bodies[0], bodies[0]]);
});

test('the documented messenger has about forty lines', () => {
  const lines = readFileSync(example, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const code = lines.filter((line) => line !== '' && !/^(\/\/|\/\*)/.test(line));
  assert.ok(code.length <= 40, String(code.length));
});
