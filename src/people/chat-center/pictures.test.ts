import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { seedProject } from '../../../test/seed.ts';

const { address, context } = await startPatchbay({ after }, { config: { roles: ['api'] } });
const operator = await signIn(context, { projectId: await seedProject(context.sql), role: 'operator' });

const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const asked: { path: string; headers: object }[] = [];
const elsewhere = createServer(({ url = '', headers }, response) => {
  asked.push({ path: url, headers });
  if (url === '/moved') response.writeHead(302, { location: '/a.gif' }).end();
  else if (url === '/page') response.setHeader('content-type', 'image/gif').end('<script>alert(1)</script>');
  else if (url === '/large') response.end(Buffer.concat([gif, Buffer.alloc(5 * 1024 * 1024)]));
  else response.setHeader('content-type', 'text/html').end(gif);
});
elsewhere.listen(0, '127.0.0.1');
await once(elsewhere, 'listening');
after(() => {
  elsewhere.closeAllConnections();
  elsewhere.close();
});
const root = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

const look = (url: string, headers: Record<string, string> = operator.headers) =>
  fetch(`${address}/chat-center/api/pictures/?${new URLSearchParams({ url })}`, { headers });

test('an external picture is fetched by our server, without data of the viewer, and served under its real type', async () => {
  const answer = await look(`${root}/a.gif`, { ...operator.headers, 'user-agent': 'Somebody' });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/gif']);
  assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox");
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), gif);
  const told = JSON.stringify(asked.at(-1)?.headers);
  assert.doesNotMatch(told, /cookie|Somebody|referer|forwarded/i);
});

test('a picture that is invalid, redirected, too large or internal is not served', async () => {
  for (const url of [
    `${root}/page`,
    `${root}/moved`,
    `${root}/large`,
    'http://10.0.0.1/a.gif',
    'http://[::1]:1/a.gif',
  ]) {
    assert.equal((await look(url)).status, 404, url);
  }
  assert.equal((await look('nowhere')).status, 400);
  assert.ok(!asked.slice(1).some(({ path }) => path === '/a.gif'));
});

test('only operators may fetch pictures', async () => {
  const before = asked.length;
  assert.equal((await look(`${root}/a.gif`, {})).status, 401);
  assert.equal(asked.length, before);
});
