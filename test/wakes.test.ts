import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

/**
 * A due row waits for the slow poll when nobody wakes its worker. The statements show which functions of stores make rows
 * due. A file that calls such a function names the topic and wakes it.
 */

const source = join(import.meta.dirname, '..', 'src');

/** Statements that make rows due, and the topic of their worker. */
const dues: { topic: string; statement: RegExp }[] = [
  { topic: 'webhooks', statement: /insert into event_queues|update event_queues set due_at = \$\{now\}/ },
  { topic: 'sending', statement: /insert into messages \([^)]*\blane\b/ },
  { topic: 'sending', statement: /update messages set [^`]*\bchannel_id = / },
  // A channel that was added has nothing queued; one that is resumed may have.
  { topic: 'sending', statement: /update channels set state = 'active', / },
  { topic: 'names', statement: /insert into chats \([^)]*\bname_due_at\b/ },
  { topic: 'planning', statement: /insert into mailings \(|update mailings set\s+state = 'stopped'/ },
];

type Declared = { file: string; name: string; text: string };

/** A command has nobody to wake: the slow look finds its rows. */
const isCommand = (file: string): boolean => file.startsWith('cli/');

const isStore = (file: string): boolean => /store\.ts$|^events\/outbox\.ts$/.test(file);

const texts = new Map(
  globSync('**/*.ts', { cwd: source })
    .filter((file) => !/\.(test|full|faults)\.ts$/.test(file))
    .sort()
    .map((file) => [file, readFileSync(join(source, file), 'utf8')]),
);

/** The functions of a file, each up to the next one. */
function declaredIn(file: string, text: string): Declared[] {
  const heads = [...text.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)];
  return heads.map(({ index, 1: name = '' }, place) => ({
    file,
    name,
    text: text.slice(index, heads[place + 1]?.index),
  }));
}

const declared = [...texts]
  .filter(([file]) => isStore(file))
  .flatMap(([file, text]) => declaredIn(file, text));

/** The names that a file imports: `key` is the origin's `file name`, `called` the name here. */
function importedBy(file: string): { key: string; called: string }[] {
  const found = [...(texts.get(file) ?? '').matchAll(/import \{([^}]*)\} from '(\.{1,2}\/[^']+)'/g)];
  return found.flatMap(([, names = '', path = '']) =>
    names.split(',').flatMap((part) => {
      const [, name, called = name] = /^\s*(\w+)(?: as (\w+))?\s*$/.exec(part) ?? [];
      const from = relative(source, join(source, file, '..', path));
      return name && called ? [{ key: `${from} ${name}`, called }] : [];
    }),
  );
}

const calls = (text: string, name: string): boolean => new RegExp(`\\b${name}\\(`).test(text);

/** The functions of stores that make rows of the topic due, directly or through other functions of stores. */
function writersFor(topic: string): Set<string> {
  const keyOf = ({ file, name }: Declared): string => `${file} ${name}`;
  const statements = dues.filter((due) => due.topic === topic).map(({ statement }) => statement);
  const writers = new Set(declared.filter(({ text }) => statements.some((one) => one.test(text))).map(keyOf));
  for (let before = -1; before < writers.size; ) {
    before = writers.size;
    for (const one of declared) {
      const own = declared
        .filter(({ file }) => file === one.file)
        .map((other) => ({ key: keyOf(other), called: other.name }));
      const callsWriter = [...own, ...importedBy(one.file)].some(
        ({ key, called }) => writers.has(key) && calls(one.text, called),
      );
      if (callsWriter) writers.add(keyOf(one));
    }
  }
  return writers;
}

const topics = [...new Set(dues.map(({ topic }) => topic))];

for (const topic of topics) {
  test(`a file that makes rows due for '${topic}' wakes it`, () => {
    const writers = writersFor(topic);
    const callers = [...texts].filter(
      ([file, text]) =>
        !isStore(file) &&
        !isCommand(file) &&
        importedBy(file).some(({ key, called }) => writers.has(key) && calls(text, called)),
    );
    assert.ok(callers.length > 0);
    const forgot = callers.filter(([, text]) => !(text.includes('wake') && text.includes(`'${topic}'`)));
    assert.deepEqual(
      forgot.map(([file]) => file),
      [],
    );
  });
}
