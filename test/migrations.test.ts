import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/**
 * Two versions run at once while a release is replaced. From 0060 on a migration therefore only expands what is there,
 * holds no big table for long, and leaves the contracting to the next release. `migrate` gives each a lock timeout.
 */

const root = join(import.meta.dirname, '..');
const first = '0060';

/** Their rows are counted in millions. */
const big = [
  'messages',
  'events',
  'attempts',
  'profile_audit',
  'profiles',
  'profile_tags',
  'chats',
  'sessions',
  'external_ids',
  'attachments',
  'promocodes',
  'mailing_identifiers',
];
const bigTable = `(?:only\\s+)?(?:${big.join('|')})\\b`;

type Rule = { name: string; form: RegExp; wrong: string; right: string };

const rules: Rule[] = [
  {
    name: 'drops what the running version uses',
    form: /\bdrop\s+(?:table|column|view|function|type|default|not\s+null)\b/,
    wrong: 'alter table chats drop column name',
    right: 'alter table chats add column nick text',
  },
  {
    name: 'renames what the running version uses',
    form: /\brename\s+(?:column\b|constraint\b|to\b|\w+\s+to\b)/,
    wrong: 'alter table chats rename name to nick',
    right: "comment on table chats is 'renamed to nothing'",
  },
  {
    name: 'changes the type of a column',
    form: /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/,
    wrong: 'alter table chats alter name type varchar(10)',
    right: 'create type mood as enum ()',
  },
  {
    name: 'reads a whole table, or refuses rows of the running version, for NOT NULL',
    form: /\bset\s+not\s+null\b|\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!constraint\b)\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/,
    wrong: 'alter table chats alter name set not null',
    right: 'alter table chats add column nick text not null default false',
  },
  {
    name: 'indexes a big table in one step',
    form: new RegExp(`\\bcreate\\s+(?:unique\\s+)?index\\s+(?!concurrently)(?:\\w+\\s+)?on\\s+${bigTable}`),
    wrong: 'create index chats_name on chats (name)',
    right: 'create index retention_hold on retention (legal_hold)',
  },
  {
    name: 'checks all rows of a big table in one step',
    form: new RegExp(
      `\\balter\\s+table\\s+${bigTable}[^;]*\\badd\\s+(?:constraint|check|unique|primary|foreign)\\b(?![^;]*\\bnot\\s+valid\\b)`,
    ),
    wrong: 'alter table messages add constraint lanes check (lane < 4)',
    right: 'alter table messages add constraint lanes check (lane < 4) not valid',
  },
  {
    name: 'writes all rows of a big table in one step',
    form: new RegExp(`\\b(?:update\\s+${bigTable}(?!\\s+of\\b)|delete\\s+from\\s+${bigTable})`),
    wrong: "update messages set tag = ''",
    right: 'create trigger t before update of state on messages for each row execute function f()',
  },
  {
    name: 'takes its lock timeout away',
    form: /\block_timeout\b/,
    wrong: 'set local lock_timeout = 0',
    right: 'select 1',
  },
];

/** Without comments, and without the bodies of functions, which run later. */
const plain = (text: string): string =>
  text
    .replace(/--.*$/gm, '')
    .replace(/\$\$[\s\S]*?\$\$/g, '$$')
    .toLowerCase();

test('a migration since 0060 breaks no running version, and holds no big table for long', () => {
  const files = globSync('migrations/*.sql', { cwd: root }).filter(
    (file) => file.slice('migrations/'.length) > first,
  );
  const broken = files.flatMap((file) =>
    rules
      .filter(({ form }) => form.test(plain(readFileSync(join(root, file), 'utf8'))))
      .map(({ name }) => `${file} ${name}`),
  );
  assert.deepEqual(broken, []);
});

for (const { name, form, wrong, right } of rules) {
  test(`the check finds a migration that ${name}`, () => {
    assert.match(plain(wrong), form);
    assert.doesNotMatch(plain(right), form);
  });
}

test('NOT NULL needs a default for the rows of the running version', () => {
  const form = rules.find(({ name }) => name.includes('NOT NULL'))?.form ?? /never/;
  assert.match('alter table chats add column nick text not null', form);
  assert.match('alter table chats add nick text not null, add column other int', form);
  assert.doesNotMatch("alter table chats add column nick text default '' not null", form);
  assert.doesNotMatch('create table a (b text not null)', form);
});
