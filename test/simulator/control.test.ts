import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startHttpApi } from '../../src/simulator/http-api.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';

const simulator = await startSimulator({ port: 0, host: '127.0.0.1', memoryFile: null });
after(() => simulator.stop());
const { address } = simulator;
const phone = simulator.providers.get('auto-ru')?.open(1) ?? assert.fail();

const post = (path: string, init: RequestInit = {}) =>
  fetch(`${address}${path}`, { method: 'POST', ...init });

/** With headers that `fetch` would not send. */
const statusOf = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(address);
    const options = { host: '127.0.0.1', port, path, method: 'POST', headers };
    request(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('another site in the same browser can neither use the phones nor read them', async () => {
  const path = '/phones/auto-ru-1/block?is=true';
  const { host } = new URL(address);
  assert.equal(await statusOf(path, { host, origin: 'https://evil.example' }), 403);
  assert.equal(await statusOf(path, { host: 'evil.example' }), 403);
  assert.equal(phone.isBlocked, false);
  assert.equal(await statusOf(path, { host, origin: address }), 200);
  assert.equal(phone.isBlocked, true);
  assert.equal((await fetch(`${address}/`)).headers.get('access-control-allow-origin'), null);
});

test('no call ends the simulator: not a broken address, a half-sent body or a large one', async () => {
  const { host, port } = new URL(address);
  const send = (head: string, body = Buffer.alloc(0)): Promise<string> =>
    new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`${head}\r\nHost: ${host}\r\n\r\n`);
        if (body.length > 0) socket.write(body, () => socket.resetAndDestroy());
      });
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        socket.end();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    });
  for (const target of ['//', 'http://[', '///', '/%', '/telegram//', '//[/telegram']) {
    assert.match(await send(`GET ${target} HTTP/1.1`), /^HTTP\/1\.1 4/, target);
  }
  for (const path of ['/phones/auto-ru-1/say', '/telegram/bot1/sendPhoto']) {
    const head = `POST ${path} HTTP/1.1\r\nContent-Length: 1000`;
    assert.equal(await send(head, Buffer.from('half')), '');
    await send(head, Buffer.alloc(2_000));
  }
  assert.equal((await fetch(`${address}/providers`)).status, 200);
});

test('the page runs its own scripts only, and only its own files are served', async () => {
  const page = await fetch(`${address}/`);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
  for (const [, path] of (await page.text()).matchAll(/(?:href|src)="(\/[^"]+)"/g)) {
    assert.equal((await fetch(`${address}${path}`)).status, 200, path);
  }
  for (const path of ['/types.ts', '/..%2Fwidget%2Fapi.js', '/none.js', '/%']) {
    assert.ok((await fetch(`${address}${path}`)).status >= 400, path);
  }
});

test('a file of a message is shown only if it is a picture or a sound', async () => {
  const typeOf = async (type: string, name: string): Promise<(string | null)[]> => {
    const id = simulator.files.keep({ name, type, bytes: Buffer.from('<script>alert(1)</script>') });
    const { headers } = await fetch(`${address}/files/${id}/${name}`);
    return ['content-type', 'content-disposition', 'content-security-policy'].map((key) => headers.get(key));
  };
  const policy = "default-src 'none'; sandbox";
  assert.deepEqual(await typeOf('text/html', 'a.html'), ['application/octet-stream', 'attachment', policy]);
  assert.deepEqual(await typeOf('image/svg+xml', 'a.svg'), [
    'application/octet-stream',
    'attachment',
    policy,
  ]);
  assert.deepEqual(await typeOf('image/png', 'a.png'), ['image/png', null, policy]);
});

test('what the page asks wrongly is answered with words for people', async () => {
  const wrong: [path: string, status: number, init?: RequestInit][] = [
    ['/providers/none/mood?mood=down', 404],
    ['/phones/none/say?kind=text', 404],
    ['/providers/telegram/mood?mood=sad', 400],
    ['/providers/telegram/mood?mood=window_closed', 400],
    ['/providers/telegram/crowd?people=-1', 400],
    ['/providers/telegram/phones?number=1000', 400],
    ['/providers/telegram/address?address=http://127.0.0.1/', 400],
    ['/providers/ozon/address?address=ftp://127.0.0.1/', 400],
    ['/providers/telegram/dance', 400],
    ['/phones/auto-ru-1/say?kind=voice', 400],
    ['/phones/auto-ru-1/say?kind=text', 400, { body: ' ' }],
    ['/phones/auto-ru-1/say?kind=image', 400],
  ];
  for (const [path, status, init] of wrong) {
    const answer = await post(path, init);
    assert.equal(answer.status, status, path);
    assert.match(await answer.text(), /^\{"error":"[^"]+\."\}$/, path);
  }
});

test('an event that nobody takes is shown as such on its phone', async () => {
  await post('/phones/auto-ru-1/say?kind=text', { body: 'Hello?' });
  const last = phone.bubbles.at(-1);
  assert.equal(last?.state, 'failed');
  assert.match(last?.detail ?? '', /No channel is connected/);
});

test('the address of a removed channel does not spoil an event that another channel accepts', async () => {
  const patchbay = await startHttpApi({ after }, ({ path }) => ({ status: path === '/gone' ? 404 : 200 }));
  const max = simulator.providers.get('max') ?? assert.fail();
  const subscribe = (path: string) =>
    post('/max/subscriptions', {
      headers: { authorization: max.player.settings.access_token ?? '' },
      body: JSON.stringify({ url: `${patchbay.root}${path}`, secret: 'secret' }),
    });
  const stateOfNext = async () => {
    await max.say(max.open(1), { kind: 'text', text: 'Hello' });
    return max.open(1).bubbles.at(-1)?.state;
  };
  await subscribe('/gone');
  assert.equal(await stateOfNext(), 'failed');
  await subscribe('/here');
  assert.equal(await stateOfNext(), 'accepted');
});

test('a body that a provider cannot read is refused, and ends nothing', async () => {
  for (const part of simulator.providers.keys()) {
    // Their wires are others.
    if (part === 'email' || part === 'telegram-personal') continue;
    for (const body of ['', '{', '[]', 'null', '"text"', `{"a":`]) {
      const { status } = await post(`/${part}/x`, { body });
      assert.ok(status >= 200 && status < 500, `${part} ${body} ${status}`);
    }
  }
});

test('registered addresses and crowds outlive a restart, and a broken file is forgotten', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-simulator-'));
  after(() => rmSync(folder, { recursive: true }));
  const memoryFile = join(folder, 'simulator.json');
  const patchbay = await startHttpApi({ after }, () => ({ status: 200, body: '' }));
  const start = () => startSimulator({ port: 0, host: '127.0.0.1', memoryFile });

  const first = await start();
  const channel = `${patchbay.root}/channels/1/`;
  const entered = await fetch(
    `${first.address}/providers/auto-ru/address?${new URLSearchParams({ address: channel })}`,
    {
      method: 'POST',
    },
  );
  assert.equal(entered.status, 200);
  first.providers.get('auto-ru')?.gather(3);
  await first.stop();

  const second = await start();
  assert.deepEqual(second.providers.get('auto-ru')?.player.addresses(), [channel]);
  assert.equal(second.providers.get('auto-ru')?.crowd, 3);
  await second.stop();

  assert.match(readFileSync(memoryFile, 'utf8'), /channels/);
  const other = { max: { registration: 'of another version', crowd: 0 } };
  for (const broken of ['{"auto-ru": 1', '[]', JSON.stringify(other)]) {
    writeFileSync(memoryFile, broken);
    const third = await start();
    assert.deepEqual(
      [...third.providers.values()].flatMap(({ player }) => player.addresses()),
      [],
    );
    await third.stop();
  }
});
