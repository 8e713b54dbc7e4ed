import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest } from './test-files.ts';

/** A statement or a part of one, as the source has it, with the parts that it contains written out. */
export type SqlText = { file: string; name: string; text: string };

const root = join(import.meta.dirname, '..');
const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !isTest(file) && !file.startsWith('src/simulator/'))
  .sort()
  .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }));

const tag = /\b(?:sql|tx|transaction|snapshot)(?:<[^`;()]*>)?`/g;
const definition = /^(?:export )?(?:async )?(?:function\*?|const) (\w+)/gm;

/** The end of the template that begins at this backtick. */
function endOf(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === '`') return at;
    else if (code.startsWith('${', at)) at = endOfHole(code, at + 2);
  }
  throw new Error('a template without an end');
}

function endOfHole(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '`') at = endOf(code, at);
    else if (code[at] === '{') depth += 1;
    else if (code[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw new Error('a hole without an end');
}

/** The text of each definition on the top level of a file. */
function definitionsIn(code: string): { name: string; text: string }[] {
  const found = [...code.matchAll(definition)];
  return found.map(({ 1: name = '', index }, place) => ({
    name,
    text: code.slice(index, found[place + 1]?.index ?? code.length),
  }));
}

const definitions = sources.flatMap(({ file, code }) =>
  definitionsIn(code).map(({ name, text }) => ({ file, name, text })),
);
const fragments = Map.groupBy(
  definitions.filter(({ text }) => text.includes('sql`')),
  ({ name }) => name,
);

/** The text with the fragments that it calls by name, and theirs. */
function expanded(file: string, text: string, seen: ReadonlySet<string> = new Set()): string {
  const called = [...new Set([...text.matchAll(/\b([a-z]\w+)\b(?=[(,}\s)])/g)].map(([, name = '']) => name))];
  const parts = called
    .filter((name) => !seen.has(name))
    .flatMap((name) => {
      const known = fragments.get(name) ?? [];
      return known
        .filter((one) => one.file === file)
        .concat(known.length === 1 ? known : [])
        .slice(0, 1);
    });
  const next = new Set([...seen, ...parts.map(({ name }) => name)]);
  return [text, ...parts.map((part) => expanded(part.file, sqlOf(part.text), next))].join('\n');
}

const sqlOf = (code: string): string => templatesIn(code).join('\n');

/** The outermost templates of SQL in a text. */
function templatesIn(code: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const match of code.matchAll(tag)) {
    if (match.index < from) continue;
    const start = match.index + match[0].length - 1;
    from = endOf(code, start);
    found.push(code.slice(start + 1, from));
  }
  return found;
}

const verb = /^\s*(?:with|select|insert|update|delete|merge)\b/i;

/** Every template that begins as a statement, by the definition that contains it. */
export const statements: SqlText[] = definitions.flatMap(({ file, name, text }) =>
  templatesIn(text)
    .filter((template) => verb.test(template))
    .map((template) => ({ file, name, text: expanded(file, template, new Set([name])) })),
);
