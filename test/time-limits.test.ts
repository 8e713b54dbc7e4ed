import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/**
 * These assert that something takes at least some time, or costs at most so many times as much as something else.
 * `claim.test.ts` slows the clock down.
 */
const measuring = [
  'test/faults/flood-platforms.full.ts',
  'test/faults/flood.full.ts',
  'test/linear.full.ts',
  'src/platform/pump/pump.test.ts',
  'src/messaging/sending/claim.test.ts',
  'src/platform/database/clock.test.ts',
  'src/platform/http/health.test.ts',
  'src/messaging/stream/pace.test.ts',
  'src/messaging/stream/processes.test.ts',
  'src/messaging/inbound/holding.test.ts',
  'src/clients/profiles/profile-tags.test.ts',
];

const stopwatch = /performance\.(now|measure)|hrtime|Date\.now\(\) - \w+[;)]/;

/** `sql` gives up after two seconds, `longSql` after ten minutes. */
const manyRows =
  /(\w+)(?:<[^`(]*>)?`\n([^`]*insert into[^`]*generate_series\(1, (?:\$\{|(?!1000\b)\d{4,})[^`]*)`/g;

/** The counts of these are small. */
const fewRows = ['src/mailings/planning/codes.test.ts', 'test/faults/exchanges.ts'];

test('many rows are made by statements that may take long', () => {
  const files = globSync('{src,test}/**/*.ts', { cwd: root }).filter((file) =>
    /^test|\.(test|full)\.ts$/.test(file),
  );
  const hasty = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(manyRows)]
      .filter(([, tag]) => tag !== 'longSql')
      .map(() => file),
  );
  assert.deepEqual([...new Set(hasty)].sort(), fewRows);
});

const stories = globSync('test/browser/*.ts', { cwd: root });
const storiesWith = (what: RegExp) =>
  stories.filter((file) => what.test(readFileSync(join(root, file), 'utf8')));

test('no story clicks by force: the click would also reach a control that is not ready', () => {
  assert.ok(stories.length > 20);
  assert.deepEqual(storiesWith(/(click|check|setChecked)\([^;]*force: true/), []);
});

test('stories wait as long as the browser is started for: until something hangs', () => {
  assert.deepEqual(storiesWith(/setDefaultTimeout|timeout: \w/), ['test/browser/chromium.ts']);
});

test('no test of a suite demands that something ends within a measured time: a busy machine is slow', () => {
  const files = globSync(['{src,test}/**/*.{test,full}.ts', 'web/app/**/*.test.{ts,tsx}'], {
    cwd: root,
  });
  assert.ok(files.length > 300, `${files.length} files`);
  const own = 'test/time-limits.test.ts';
  assert.deepEqual(
    files.filter((file) => file !== own && stopwatch.test(readFileSync(join(root, file), 'utf8'))).sort(),
    measuring.sort(),
  );
});
