import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Outbound, OutboundFailed, OutboundRefused } from '../../platform/outbound/outbound.ts';
import { Unsent } from '../contract/failure.ts';
import { fetchFile, formOf } from './file.ts';

const url = 'https://files.example/price%20list.pdf?a=1';

function reasonOver(request: () => ReturnType<Outbound['request']>) {
  const refused = async () => assert.fail('nobody asks for it');
  const http = { request, check: refused, addressesOf: refused, close: refused };
  const fetched = fetchFile(http, url, { mostMiB: 1, signal: new AbortController().signal });
  return fetched.catch((error) => {
    assert.ok(error instanceof Unsent, String(error));
    return error.reason;
  });
}

const answer = (status: number, changes: object = {}) => ({
  status,
  headers: { 'content-type': 'application/pdf; charset=binary' },
  body: Buffer.from('bytes'),
  truncated: false,
  ...changes,
});

test('a file has the name in its address, and the type that its server tells', async () => {
  const file = { name: 'price list.pdf', type: 'application/pdf', bytes: Buffer.from('bytes') };
  assert.deepEqual(await reasonOver(async () => answer(200)), file);
  const untold = answer(200, { headers: { 'content-type': 'nonsense' } });
  assert.deepEqual(await reasonOver(async () => untold), { ...file, type: 'application/octet-stream' });
});

test('a file that its server does not give now is tried again, and any other failure is final', async () => {
  const detail = (status: number) => `The address of the file answered ${status}.`;
  for (const status of [429, 500, 503]) {
    const passing = { code: 'temporary', mayHaveBeenSent: false, detail: detail(status) };
    assert.deepEqual(await reasonOver(async () => answer(status)), passing);
  }
  for (const status of [302, 403, 404]) {
    assert.deepEqual(await reasonOver(async () => answer(status)), {
      code: 'bad_content',
      detail: detail(status),
    });
  }
  assert.deepEqual(await reasonOver(async () => answer(200, { truncated: true })), {
    code: 'bad_content',
    detail: 'The file is larger than 1 MiB.',
  });
});

test('a file whose server hangs is tried again, and one at a refused address is not', async () => {
  const hanging = await reasonOver(() => Promise.reject(new OutboundFailed('timeout', true)));
  assert.ok('code' in hanging && hanging.code === 'temporary' && !hanging.mayHaveBeenSent);
  const refused = await reasonOver(() => Promise.reject(new OutboundRefused('This address is private.')));
  assert.deepEqual(refused, { code: 'bad_content', detail: 'This address is private.' });
});

test('any decoder of forms reads the texts and the file, whatever they contain', async () => {
  const text = fc.string({ unit: fc.constantFrom('\r', '\n', '"', '-', '%', 'я', '\u{1f600}', 'a') });
  const anyBytes = fc.uint8Array().map((bytes) => Buffer.from(bytes));
  await fc.assert(
    fc.asyncProperty(text, text, anyBytes, async (caption, stem, bytes) => {
      const name = `${stem}.docx`;
      const { headers, body } = formOf('document', { name, type: 'a/b', bytes }, { caption });
      const form = await new Response(new Uint8Array(body), { headers }).formData();
      const file = form.get('document');
      assert.ok(file instanceof File);
      assert.deepEqual([form.get('caption'), file.name, file.type], [caption, name, 'a/b']);
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes);
    }),
  );
});
