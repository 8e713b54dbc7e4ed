import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createPartner, startPatchbay } from '../harness.ts';
import { launchChromium, noBrowser } from './chromium.ts';

/** A page on another origin, which serves only the client's files. */
async function startSite(t: TestContext): Promise<string> {
  const site = createServer(({ url = '' }, response) => {
    const name = /^\/(\w+\.js)$/.exec(url)?.[1];
    const type = name ? 'text/javascript' : 'text/html';
    const file = name && readFileSync(new URL(`../../client/${name}`, import.meta.url));
    response.writeHead(200, { 'content-type': type }).end(file ?? '<!doctype html>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    site.closeAllConnections();
    site.close();
  });
  const { port } = site.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}

test('the client runs in a browser, on a page of another origin', { skip: noBrowser }, async (t) => {
  const patchbay = await startPatchbay(t);
  const { botKey } = await createPartner(t, patchbay);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(await startSite(t));

  const script = `async ({ baseUrl, botKey }) => {
    const { createClient } = await import('/index.js');
    const client = createClient({ baseUrl, botKey });
    const options = { idempotencyKey: 'from a browser' };
    const group = await client.createPromocodeGroup({ body: { name: 'Spring' } }, options);
    const { code } = await client.generatePromocode({ body: { group: group.uuid, chars_count: 5 } });
    const listed = [];
    for await (const item of client.pages('listPromocodes', { query: { limit: 1 } })) listed.push(item.code);
    const { status, requestId } = await client.readPromocode({ params: { uuid: 'x' } }).catch((error) => error);
    return { same: listed.length === 1 && listed[0] === code, status, requestId };
  }`;
  const told = await page.evaluate(`(${script})(${JSON.stringify({ baseUrl: patchbay.address, botKey })})`);
  assert.partialDeepStrictEqual(told, { same: true, status: 404 });
  assert.match(JSON.stringify(told), /"requestId":"[\da-f-]{36}"/);
});
