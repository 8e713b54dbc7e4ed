import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isRecord } from '../../src/platform/http/json.ts';
import { send } from './answers.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });
const { patchbay, alpha } = scene;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);

const wrong = { type: 'attribute', name: {} };
/** TypeScript does not know it yet. */
const rawJson: (text: string) => unknown = Reflect.get(JSON, 'rawJSON');
/** More digits than a number keeps. */
const manyDigits = rawJson('18446744073709551617');
const unstorable: [what: string, condition: unknown][] = [
  ['NUL in a value', { type: 'attribute', name: 'a\0b' }],
  ['NUL in a list', { type: 'attribute', name__in: ['a', '\0'] }],
  ['NUL in a key', { type: 'attribute', 'a\0b': 'x' }],
  ['NUL in a type', { type: 'attribute\0', name: 'x' }],
  ['half of a surrogate pair', { type: 'profile_tag', tag: '\ud800' }],
  ['an integer that would be rounded', { type: 'profile_attribute', age: manyDigits }],
  ['an integer for a condition', manyDigits],
];

/** The calls whose bodies have a filter, and a function that puts a condition into each. */
const filtering = probes.flatMap((probe): [Probe, (condition: unknown) => object][] => {
  const { body } = probe;
  if (!isRecord(body)) return [];
  const { phone_numbers_file, customer_filter_file, ...mailing } = body;
  if (body.filter_chats) return [[probe, (wrong) => ({ ...mailing, filter_chats: { all: [wrong] } })]];
  // A draft is any text. It is checked when it is published.
  if (!body.source || probe.route.endsWith('/draft/')) return [];
  return [[probe, (wrong) => ({ ...body, source: JSON.stringify(scenarioWith(wrong)) })]];
});

const scenarioWith = (condition: unknown): object => ({
  name: 'Filters',
  steps: [
    { id: 'choose', type: 'branch', cases: [{ when: { all: [condition] }, next: 'end' }] },
    { id: 'end', type: 'end' },
  ],
});

/** The answer without the text of its complaint. */
const shapeOf = ({ status, text }: { status: number; text: string }): unknown[] => [
  status,
  text.replace(/(all\.0: )(?:[^"\\]|\\.)*/, '$1…').replace(/("message":")(?:[^"\\]|\\.)*/, '$1…'),
];

test('a value that cannot be stored is refused in a filter like any other fault', async () => {
  const ask = (probe: Probe, body: unknown) => send(patchbay.address, requestOf({ ...probe, body }));
  assert.equal(filtering.length, 27);
  for (const [probe, bodyWith] of filtering) {
    const expected = shapeOf(await ask(probe, bodyWith(wrong)));
    assert.match(String(expected), /filter_chats|when/, probe.route);
    for (const [what, condition] of unstorable) {
      const answer = await ask(probe, bodyWith(condition));
      assert.deepEqual(shapeOf(answer), expected, `${probe.route}: ${what}`);
    }
  }
});
