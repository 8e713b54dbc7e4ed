import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFilter } from '../src/clients/filters/parse.ts';
import { fieldsOf } from '../src/clients/profiles/rules.ts';
import { MailingCreate } from '../src/mailings/schema.ts';
import { parseForm } from '../src/platform/http/form.ts';
import { isDateTime, isWebUrl } from '../src/platform/http/formats.ts';
import { parseJson } from '../src/platform/http/json.ts';
import { reader } from '../src/platform/http/validation.ts';
import { linksIn } from '../src/platform/links.ts';
import { normalizePhone } from '../src/platform/phone.ts';
import { placeholdersOf } from '../src/platform/placeholders.ts';
import { checkAnswer } from '../src/scenarios/answers.ts';
import { overlap, piecesOf } from '../src/scenarios/keywords.ts';
import { growthOf, tenSizes } from './growth.ts';

/** Hostile texts, which make a careless pattern backtrack. */
const repeated = (...parts: string[]) =>
  parts.map((part) => (size: number) => part.repeat(size / part.length));

const hostile = repeated(
  '{',
  '{{a',
  '{{a}}',
  ' ',
  '.',
  'a@',
  'a.',
  '1 ',
  '1,',
  '/',
  'http://',
  'http://a/{{b}}',
  '[',
  '"',
  'Σ',
  '\u0130',
  '*,',
  '%',
  '0',
  '-',
  ',1e',
  ',1.',
  'a&',
  '\\',
  '\\"',
);

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

const readers: { [name: string]: (text: string) => unknown } = {
  placeholders: placeholdersOf,
  links: (text) => linksIn(`https://a.test/${text}`),
  addresses: (text) => isWebUrl(`https://a.test/${text}!`),
  moments: isDateTime,
  'phone numbers': normalizePhone,
  'answers: numbers': (text) =>
    checkAnswer({ id: 'a', type: 'ask', text: '?', check: 'number' }, { text, payload: null }),
  'answers: e-mail': (text) =>
    checkAnswer({ id: 'a', type: 'ask', text: '?', check: 'email' }, { text, payload: null }),
  profiles: (text) => outcomeOf(() => fieldsOf({ email: `${text}!`, timezone: text })),
  JSON: (text) => outcomeOf(() => parseJson(Buffer.from(JSON.stringify([text])))),
  'raw JSON': (text) => outcomeOf(() => parseJson(Buffer.from(text))),
  forms: parseForm,
  numbers: (text) => outcomeOf(() => parseJson(Buffer.from(`[0.${text}1${text}]`))),
};

for (const [name, read] of Object.entries(readers)) {
  test(`reading ${name} takes time linear in the text`, () => {
    for (const textOf of hostile) {
      const growth = growthOf(tenSizes(20_000), (size) => read(textOf(size)));
      assert.ok(growth < 40, `${textOf(20)}: ten times as long, ${growth.toFixed(0)} times the time`);
    }
  });
}

/** Lists of a mebibyte, and what `JSON.parse` needs for the slowest of them. */
const mebibyteOf = (item: string) => `[${item.repeat(2 ** 20 / item.length)}1]`;
const costly = [
  '1e-300,',
  '-1e300,',
  '1e-310,',
  '1e400,',
  '12345678901234567890,',
  '0.1234567890123456,',
  '{},',
  '1,',
  '"a",',
  '{"a":1},',
  '"\\"",',
];

test('no mebibyte of JSON takes many times as long as JSON.parse needs', () => {
  const bodies = costly.map((item) => Buffer.from(mebibyteOf(item)));
  const usual = mebibyteOf('{"a":1},');
  for (const body of bodies) {
    const times = Array.from({ length: 7 }, () => [
      timeOf(() => outcomeOf(() => parseJson(body))),
      timeOf(() => JSON.parse(usual)),
    ]);
    const [ours, bare] = [0, 1].map((of) => Math.min(...times.map((pair) => pair[of] ?? 0)));
    assert.ok((ours ?? 0) < 6 * (bare ?? 0), `${body.subarray(1, 20)}: ${ours} ms, against ${bare} ms`);
  }
});

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const starry = (size: number, end: string) => piecesOf(`*${'a*'.repeat(size)}${end}`);
const condition = { type: 'attribute', name__icontains: 'a' };
const readMailing = reader(MailingCreate);
const lists: { [name: string]: (size: number) => unknown } = {
  conditions: (size) => parseFilter({ all: Array(size / 10).fill(condition) }),
  'values of a condition': (size) =>
    parseFilter({ all: [{ type: 'attribute', name__in: Array.from({ length: size }, String) }] }),
  'stars of two keywords': (size) => overlap(starry(size, 'b'), starry(size, 'c')),
  'stars of a keyword beside a word': (size) => overlap(starry(size, 'b'), [`${'a'.repeat(size)}b`]),
  'identifiers that are wrong': (size) =>
    outcomeOf(() => readMailing({ name: 'x', customer_filter_array: Array(size * 10).fill(7) })),
};

for (const [name, read] of Object.entries(lists)) {
  test(`reading ${name} takes time linear in their number`, () => {
    const growth = growthOf(tenSizes(1_000), read);
    assert.ok(growth < 40, `ten times as many, ${growth.toFixed(0)} times the time`);
  });
}
