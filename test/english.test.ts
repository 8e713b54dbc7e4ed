import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

const codeFiles = globSync('{src,web,test,bench,client}/**/*.{ts,tsx,js}', { cwd: root }).filter(
  (file) => !/\/(dist|node_modules)\//.test(file) && file !== 'test/english.test.ts',
);
const documents = globSync(['*.md', 'docs/**/*.md', '.env.example'], { cwd: root });

/** Words that hide the subject of a sentence. CONTRIBUTING.md, "Plain English". */
const riddle =
  /\b(whoever|whomever|whom|told|unless said|that there is|be it|nobody['’]s|somebody else['’]s)\b/i;

/** Comments, quoted strings and test names. Other templates are SQL or HTML. */
const literal = /\/\*[\s\S]*?\*\/|\/\/ .*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=\btest\()`[^`\n]*`/g;

const isProse = (text: string): boolean => text.includes(' ');

/** Each line with a riddle, as `file:line: word`. */
const riddlesIn = (file: string, text: string, firstLine = 1): string[] =>
  text.split('\n').flatMap((line, index) => {
    const word = riddle.exec(line)?.[0];
    return word ? [`${file}:${firstLine + index}: ${word}`] : [];
  });

test('comments, texts and test names have no riddles', () => {
  const found = codeFiles.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    return [...code.matchAll(literal)]
      .filter(([text]) => isProse(text))
      .flatMap(({ 0: text, index }) => riddlesIn(file, text, code.slice(0, index).split('\n').length));
  });
  assert.deepEqual(found, []);
});

test('documents have no riddles', () => {
  const found = documents.flatMap((file) => riddlesIn(file, readFileSync(join(root, file), 'utf8')));
  assert.deepEqual(found, []);
});
