import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TimelineEntry } from '../../../../src/people/chat-center/schema.ts';
import type { History } from './cache.ts';
import { withEntry } from './timeline.ts';

const entry = (uuid: string, text = ''): TimelineEntry => ({
  uuid,
  at: '2026-11-20T12:00:00.000Z',
  author: null,
  message: null,
  note: { text, echo_id: null },
  session: null,
});

/** Pages of ids, newest page first. */
const history = (hasOlder: boolean, ...pages: string[]): History => ({
  pages: pages.map((ids) => ({
    results: [...ids].map((id) => entry(id)),
    has_older: hasOlder,
    has_newer: false,
  })),
  pageParams: pages.map(() => ''),
});

const ids = ({ pages }: History): string[] =>
  pages.map(({ results }) => results.map(({ uuid }) => uuid).join(''));

test('an entry is placed by its id, on any page', () => {
  const known = history(true, 'fh', 'bd');
  assert.deepEqual(ids(withEntry(known, entry('i'))), ['fhi', 'bd']);
  assert.deepEqual(ids(withEntry(known, entry('g'))), ['fgh', 'bd']);
  assert.deepEqual(ids(withEntry(known, entry('e'))), ['fh', 'bde']);
  assert.deepEqual(ids(withEntry(known, entry('c'))), ['fh', 'bcd']);
});

test('a repeated entry replaces the earlier one', () => {
  const changed = withEntry(history(true, 'fh', 'bd'), entry('d', 'read'));
  assert.deepEqual(ids(changed), ['fh', 'bd']);
  assert.deepEqual(changed.pages[1]?.results[1], entry('d', 'read'));
});

test('an entry older than the loaded pages waits for its page, unless all pages are loaded', () => {
  assert.deepEqual(ids(withEntry(history(true, 'fh', 'bd'), entry('a'))), ['fh', 'bd']);
  assert.deepEqual(ids(withEntry(history(false, 'fh', 'bd'), entry('a'))), ['fh', 'abd']);
  assert.deepEqual(ids(withEntry(history(false, ''), entry('a'))), ['a']);
});
