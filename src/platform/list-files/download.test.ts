import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import pino from 'pino';
import { createOutbound } from '../outbound/outbound.ts';
import { BadFile, FileUnavailable } from './bad-file.ts';
import { download } from './download.ts';

const log = pino({ level: 'silent' });
const outbound = createOutbound({ allow: ['127.0.0.0/8'], log });
const guarded = createOutbound({ allow: [], log });
const mebibytes = (count: number) => Buffer.alloc(count * 1024 * 1024, 'x');

const server = createServer((request, response) => {
  switch (request.url) {
    case '/list.csv':
      return response.end('phone\n1\n');
    case '/elsewhere':
      return response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    case '/full':
      return response.end(mebibytes(20));
    case '/too-large':
      return response.end(Buffer.concat([mebibytes(20), Buffer.from('x')]));
    case '/broken':
      response.writeHead(200, { 'content-length': '100' }).write('phone');
      return response.destroy();
    default:
      return response.writeHead(Number(request.url?.slice(1)) || 404).end();
  }
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
assert.ok(address !== null && typeof address === 'object');
const base = `http://127.0.0.1:${address.port}`;
after(async () => {
  server.close();
  await outbound.close();
  await guarded.close();
});

test('a file of up to 20 MiB is fetched whole', async () => {
  assert.equal(String(await download(outbound, `${base}/list.csv`)), 'phone\n1\n');
  assert.equal((await download(outbound, `${base}/full`)).length, 20 * 1024 * 1024);
  await assert.rejects(download(outbound, `${base}/too-large`), isBad(/larger than 20 MiB/));
});

test('an address with a permanent failure makes a bad file', async () => {
  await assert.rejects(download(outbound, `${base}/elsewhere`), isBad(/leads elsewhere \(302\)/));
  for (const status of [204, 400, 403, 404, 410]) {
    await assert.rejects(download(outbound, `${base}/${status}`), isBad(new RegExp(`answered ${status}`)));
  }
  await assert.rejects(
    download(guarded, `${base}/list.csv`),
    isBad(/cannot be fetched\. The host .* not on the public/),
  );
  await assert.rejects(download(outbound, 'ftp://127.0.0.1/list.csv'), isBad(/cannot be fetched\. .*http/));
});

test('a temporary failure is distinguished from a permanent one', async () => {
  for (const path of ['500', '503', '429', 'broken']) {
    await assert.rejects(download(outbound, `${base}/${path}`), FileUnavailable);
  }
  const given = AbortSignal.abort();
  await assert.rejects(download(outbound, `${base}/list.csv`, given), FileUnavailable);
});

const isBad = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof BadFile, String(error));
  assert.match(error.message, message);
  return true;
};
