import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { platforms } from '../../src/channels/contract/platforms.ts';
import { folderOf, messengersFolder, pagesOf } from './pages.ts';

const MOST_LINES = 250;

test('the four pages of a messenger have at most 250 lines together', () => {
  const long = platforms
    .map((platform) => ({ platform, lines: pagesOf(platform).lines }))
    .filter(({ lines }) => lines > MOST_LINES);
  assert.deepEqual(long, []);
});

test('each messenger has a folder, and its pages are counted', () => {
  assert.deepEqual(readdirSync(messengersFolder).toSorted(), platforms.map(folderOf).toSorted());
});
