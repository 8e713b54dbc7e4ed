import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isTest } from './test-files.ts';

/**
 * A database's locale, JavaScript and a mail server disagree on which letters beyond ASCII are equal. If one of them
 * folds and another compares, two people are confused: mail for one account once went to another address. Names of
 * people and objects are therefore folded by `smallAscii`, and by `lower(… collate "C")`. Every other fold is listed
 * here, with its number of lines and the reason why it confuses no one.
 */
const folding: { [file: string]: [lines: number, reason: string] } = {
  'access/auth/credential.ts': [1, 'a uuid'],
  'access/operators/password.ts': [3, 'secrets, which are compared by their hashes'],
  'channels/messengers/api-messenger/receive.ts': [1, 'a uuid'],
  'channels/messengers/email/names.ts': [1, 'a uuid'],
  'channels/messengers/email/quotes.ts': [3, 'words of mail programs, of which nothing is stored'],
  'channels/messengers/email/receive.ts': [1, 'how a subject begins'],
  'channels/messengers/email/report.ts': [2, 'words of a protocol'],
  'channels/messengers/whatsapp/receive.ts': [1, 'a uuid'],
  'channels/messengers/whatsapp/template-parts.ts': [1, 'words of the provider'],
  'channels/shared/graph.ts': [1, 'a signature in hexadecimal'],
  'cli/known.ts': [1, 'a uuid'],
  'clients/filters/matches.ts': [4, 'case is left out on purpose; a property test holds it to the SQL'],
  'clients/filters/test-of.ts': [2, 'the word of a boolean, and a uuid'],
  'clients/profiles/search-store.ts': [3, 'people look for names, on both sides by the database'],
  'clients/promocodes/create-code.ts': [2, 'uuids'],
  'clients/promocodes/generate-code.ts': [1, 'a uuid'],
  'mailings/filter-store.ts': [2, 'case is left out on purpose; a property test holds it to the JavaScript'],
  'mailings/identifiers.ts': [1, 'a uuid'],
  'mailings/planning/read-files.ts': [1, 'our own word'],
  'mailings/time-zones.ts': [1, 'a time zone that the platform knows already'],
  'messaging/attachments/name.ts': [2, 'a file is shown by its name, and found by its id'],
  'messaging/chats/present.ts': [2, 'our own words'],
  'messaging/chats/webhook-schemas.ts': [1, 'our own words'],
  'messaging/connector/message.ts': [1, 'a uuid'],
  'openapi/document.ts': [1, 'our own words'],
  'openapi/page/operation.ts': [1, 'our own words'],
  'openapi/page/render.ts': [2, 'our own words'],
  'people/console/mailings/compare/compare.ts': [1, 'uuids'],
  'people/console/mailings/store.ts': [1, 'people look for names, on both sides by the database'],
  'people/widget/load.ts': [1, 'a uuid'],
  'people/widget/rules.ts': [3, 'an origin against what the browser says, a hash, a uuid'],
  'platform/ascii.ts': [1, 'ASCII letters alone'],
  'platform/database/make-index.ts': [1, 'names of a migration of ours'],
  'platform/list-files/decode.ts': [1, 'our own word'],
  'platform/list-files/list-file.ts': [1, 'a heading of a file, which names a column'],
  'platform/secrets/sealed-file.ts': [1, 'a passphrase, which two keyboards may write in two ways'],
  'scenarios/answers.ts': [2, 'what a client answers, compared here alone'],
  'scenarios/engine.ts': [2, 'what a client answers, compared here alone'],
  'scenarios/keywords.ts': [1, 'a keyword, folded here alone both when kept and when heard'],
  'scenarios/request.ts': [1, 'names of headers'],
  'scenarios/secrets.ts': [1, 'a host, as it is in an address'],
  'scenarios/step-rules.ts': [1, 'names of headers'],
  'simulator/email/imap-session.ts': [3, 'words of a protocol'],
  'simulator/telegram-personal/calls.ts': [1, 'words of a protocol'],
  'simulator/whatsapp/template-call.ts': [2, 'words of the provider'],
};

const source = join(import.meta.dirname, '..', 'src');

const inJavaScript = /\.to(?:Locale)?(?:Lower|Upper)Case\(|\.localeCompare\(|\.normalize\(|Intl\.Collator/;
const inSql = /\b(?:lower|upper|initcap)\(|\bilike\b|\bcitext\b|~\*/i;
/** A pattern with these flags treats `k` and the Kelvin sign as equal. */
const inPattern = /\/(?:[dgmsy]*i[dgmsy]*[uv]|[dgmsy]*[uv][dgmsy]*i)[dgmsy]*(?=[.,;)\s])/;

/** ASCII only, or a sort order, which matches no one. */
const isHarmless = (line: string): boolean =>
  /^\s*(\/?\*|\/\/)/.test(line) || /collate "C"\)/.test(line) || /order by lower\(/.test(line);

function foldingIn(text: string): number {
  return text
    .split('\n')
    .filter((line) => !isHarmless(line))
    .filter((line) => inJavaScript.test(line) || inSql.test(line) || inPattern.test(line)).length;
}

test('letters are folded only where the fold confuses no one', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !isTest(file));
  const found = files.flatMap((file): [string, number][] => {
    const lines = foldingIn(readFileSync(join(source, file), 'utf8'));
    return lines > 0 ? [[file, lines]] : [];
  });
  const known = Object.entries(folding).map(([file, [lines]]): [string, number] => [file, lines]);
  assert.deepEqual(Object.fromEntries(found.sort()), Object.fromEntries(known.sort()));
});

/** Earlier migrations explain their folds themselves. Indexes on names for people's searches stay. */
const lastFolding = 20;

test('no new migration makes the database fold', () => {
  const migrations = join(source, '..', 'migrations');
  for (const file of globSync('*.sql', { cwd: migrations })) {
    if (Number(file.slice(0, 4)) <= lastFolding) continue;
    const lines = readFileSync(join(migrations, file), 'utf8').split('\n');
    const wrong = lines.filter(
      (line) => inSql.test(line) && !/^\s*--/.test(line) && !/lower\((\w+\.)?\w+ collate "C"\)?/.test(line),
    );
    assert.deepEqual(wrong, [], file);
  }
});
