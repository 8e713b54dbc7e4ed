import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAst } from 'vite';
import { growthOf } from './growth.ts';

/** Finds regular expressions that a hostile text makes slow: their time grows with the square of its length. */

const root = join(import.meta.dirname, '..');

/** Slow patterns of texts that nobody hostile writes, with the reason. */
const trusted: { [pattern: string]: string } = {
  '/\\/+$/': 'the public address is a setting',
  '/=+$/': 'the hash of a password is ours',
  '/\\bcopy\\b.*\\bfrom\\s+stdin\\b/is': 'a client of the socket is a superuser of the database',
  '/(?:-c\\s*|--)([\\w.-]+)=((?:\\\\.|[^\\s\\\\])*)/g': 'the same',
};

type Found = { file: string; pattern: RegExp };

const isOurs = (file: string): boolean =>
  !/\.(test|full|faults)\.ts$/.test(file) && !file.startsWith('src/simulator/');

function patternsIn(file: string): Found[] {
  const found: Found[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && 'value' in node && node.value instanceof RegExp) {
      found.push({ file, pattern: node.value });
    }
    for (const part of Object.values(node)) look(part);
  };
  look(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }));
  return found;
}

const patterns = globSync('src/**/*.ts', { cwd: root }).filter(isOurs).flatMap(patternsIn);

/** Texts that are of the pattern's classes. */
const usual = ['0', 'a', ' ', '\t', '\n', '-', '.', '\u0000', '\\a'];
const endings = ['', '\n\u0000'];

/** What an attacker repeats: the pattern's own letters and words, also without optional letters, and texts of its classes. */
function pumpsOf({ source }: RegExp): string[] {
  const shortest = source.replace(/\\?[^\\)\]}(|]\?/g, '');
  const plain = plainOf(source);
  const words = [plain, plainOf(shortest)].flatMap((text) => text.split(' ')).filter((word) => word !== '');
  return [...new Set([...usual, ...words, ...words.map((word) => `${word} `), ...plain.replaceAll(' ', '')])];
}

const plainOf = (source: string): string =>
  source.replace(/\\[bBdDsSwWnrtup]|\(\?[:=!<]*|[[\](){}^$|?*+]/g, ' ').replaceAll('\\', '');

/** The texts in which a pattern may begin to match: its own beginning, and a text up to one of its signs. */
function startsOf({ source }: RegExp): Set<string> {
  const own = /^\^?((?:[\w :/<"-](?![*?{]))+)/.exec(source)?.[1] ?? '';
  const signs = source.match(/(?<=[\])}*+?])[@#=:/<>|-](?![*?{])/g) ?? [];
  return new Set(['', own, ...signs.map((sign) => `a${sign}`)]);
}

const used = (pattern: RegExp, text: string): unknown =>
  pattern.global ? text.match(pattern) : pattern.exec(text);

const sizes = [2_000, 20_000];
const suspectMs = 8;

function slowText({ pattern }: Found): string | undefined {
  for (const start of startsOf(pattern)) {
    for (const pump of pumpsOf(pattern)) {
      for (const end of endings) {
        const textOf = (size: number) => start + pump.repeat(size / pump.length) + end;
        const before = process.threadCpuUsage().user;
        used(pattern, textOf(20_000));
        if ((process.threadCpuUsage().user - before) / 1_000 < suspectMs) continue;
        if (growthOf(sizes, (size) => used(pattern, textOf(size))) > 40) return textOf(20);
      }
    }
  }
  return undefined;
}

test('no pattern takes time that grows faster than the text', () => {
  assert.ok(patterns.length > 150);
  const slow = patterns.flatMap((found) => {
    const text = slowText(found);
    return text === undefined ? [] : [{ ...found, text }];
  });
  const named = slow.filter(({ pattern }) => trusted[String(pattern)] === undefined);
  assert.deepEqual(
    named.map(({ file, pattern, text }) => `${file}: ${pattern} for ${JSON.stringify(text)}`),
    [],
  );
});

test('every trusted pattern is one of the program', () => {
  const all = new Set(patterns.map(({ pattern }) => String(pattern)));
  assert.deepEqual(
    Object.keys(trusted).filter((pattern) => !all.has(pattern)),
    [],
  );
});
