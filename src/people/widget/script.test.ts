import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testDatabase } from '../../../test/database.ts';
import { startWidgetServer } from '../../../test/widget-harness.ts';

const { sql } = await testDatabase({ after });
const server = await startWidgetServer({ after }, sql);

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.address + path, { headers });

/** Every module that the loader imports, directly or through others, by its path. */
async function everyModule(): Promise<Map<string, string>> {
  const loader = await (await get('/widget.js')).text();
  const start = /'(widget-files\/\w+\/start\.js)'/.exec(loader)?.[1];
  assert.ok(start);
  const found = new Map<string, string>([['/widget.js', loader]]);
  const wanted = [`/${start}`];
  for (let path = wanted.pop(); path; path = wanted.pop()) {
    if (found.has(path)) continue;
    const response = await get(path);
    assert.equal(response.status, 200, path);
    const text = await response.text();
    found.set(path, text);
    for (const [, name] of text.matchAll(/from '\.\/([\w-]+\.js)'/g))
      wanted.push(path.replace(/[^/]+$/, String(name)));
  }
  return found;
}

test('all modules of the script exist, and are small', async () => {
  const modules = await everyModule();
  assert.ok(modules.size > 10);
  const bytes = [...modules.values()].reduce((sum, text) => sum + gzipSync(text).length, 0);
  assert.ok(bytes < 20 * 1024, `${bytes} bytes`);
});

test('a page may cache the modules for ever, and must revalidate the script', async () => {
  const script = await get('/widget.js');
  assert.equal(script.headers.get('cache-control'), 'no-cache');
  const again = await get('/widget.js', { 'if-none-match': script.headers.get('etag') ?? '' });
  assert.equal(again.status, 304);
  const [path] = [...(await everyModule()).keys()].filter((name) => name.endsWith('/start.js'));
  const start = await get(String(path), { origin: 'https://shop.test' });
  assert.match(start.headers.get('cache-control') ?? '', /immutable/);
  assert.equal(start.headers.get('access-control-allow-origin'), '*');
  assert.match(start.headers.get('content-type') ?? '', /^text\/javascript/);
});

test('modules of another version are not found, nor are other files', async () => {
  const [path = ''] = [...(await everyModule()).keys()].filter((name) => name.endsWith('/start.js'));
  for (const other of [
    path.replace(/\/\w+\/start/, '/000000000000/start'),
    path.replace('start.js', 'tsconfig.json'),
    path.replace('start.js', '..%2f..%2fpackage.json'),
    path.replace('start.js', 'constructor'),
  ]) {
    const response = await get(other);
    assert.equal(response.status, 404, other);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
});

test('a browser without gzip gets the plain text', async () => {
  const plain = await get('/widget.js', { 'accept-encoding': 'identity' });
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.equal(await plain.text(), await (await get('/widget.js')).text());
});
