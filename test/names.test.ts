import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { platforms } from '../src/channels/contract/platforms.ts';
import { isTest } from './test-files.ts';

const source = join(import.meta.dirname, '..', 'src');

/** The closed vocabulary of the API, with its examples, and its description in prose. */
const isVocabulary = (file: string): boolean => file.endsWith('/schema.ts') || file === 'openapi/prose.ts';

/** The simulator plays each provider in a folder of its own. */
const isPlayed = (file: string): boolean => /^simulator\/[^/]+\//.test(file);

const inQuotes = new RegExp(`(['"\`])(${platforms.join('|')})\\1`);

test('only a platform’s own folder names it, and all other code asks for capabilities', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !file.startsWith('channels/') && !isPlayed(file) && !isTest(file) && !isVocabulary(file),
  );
  assert.deepEqual(
    files.filter((file) => inQuotes.test(readFileSync(join(source, file), 'utf8'))),
    [],
  );
});

test('in the channels, a messenger’s folder names no other messenger', () => {
  const folders = globSync('channels/messengers/*/capabilities.ts', { cwd: source });
  assert.equal(folders.length, platforms.length);
  for (const file of folders) {
    const own = /platform: (?:'(\w+)'|\w+)/.exec(readFileSync(join(source, file), 'utf8'))?.[1];
    const folder = file.replace('/capabilities.ts', '');
    const named = globSync(`${folder}/*.ts`, { cwd: source })
      .filter((name) => !isTest(name))
      .flatMap((name) => [...readFileSync(join(source, name), 'utf8').matchAll(new RegExp(inQuotes, 'g'))])
      .map(([, , name]) => name);
    assert.ok(new Set(named).size <= 1 && (own === undefined || named.includes(own)), folder);
  }
});

test('in the simulator, a provider’s folder names its own platform only', () => {
  const files = globSync('simulator/*/*.ts', { cwd: source });
  const folders = Map.groupBy(files, (file) => file.split('/')[1] ?? '');
  const names = new Map(
    [...folders].map(([folder, own]) => {
      const text = own.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
      return [folder, new Set([...text.matchAll(new RegExp(inQuotes, 'g'))].map(([, , name]) => name))];
    }),
  );
  assert.deepEqual(
    [...names].filter(([, own]) => own.size > 1),
    [],
  );
  const played = [...names.values()].flatMap((own) => [...own]);
  assert.equal(new Set(played).size, played.length);
});
