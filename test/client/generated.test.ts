import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientFiles } from '../../client/generate/files.ts';
import { programDocument } from '../openapi/program-document.ts';

const client = new URL('../../client/', import.meta.url);

test('the client is of this very API: after a change, `npm run client`', async () => {
  for (const [name, text] of Object.entries(clientFiles(await programDocument()))) {
    assert.equal(readFileSync(new URL(name, client), 'utf8'), text, name);
  }
});
