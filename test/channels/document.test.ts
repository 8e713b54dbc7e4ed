import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { channelsDocument, documentFile } from './document.ts';

test('docs/channels.md says what the adapters say', () => {
  assert.equal(
    readFileSync(documentFile, 'utf8'),
    channelsDocument(),
    'write it: node test/channels/document.ts',
  );
});
