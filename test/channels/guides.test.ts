import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenNames } from '../../src/channels/connected/settings.ts';
import type { Adapter } from '../../src/channels/contract/adapter.ts';
import type { Guide, SketchPart, Step, Words } from '../../src/channels/contract/guide.ts';
import { platforms } from '../../src/channels/contract/platforms.ts';
import { adapters } from '../../src/channels/registry.ts';

const stepsOf = ({ before, after }: Guide): Step[] => [...before, ...after];

const wordsOf = (part: SketchPart): Words => {
  if ('field' in part) return part.field;
  if ('button' in part) return part.button;
  if ('tick' in part) return part.tick;
  return 'says' in part ? part.says : part.code;
};

/** Every text of a guide. */
const textsOf = (guide: Guide): Words[] => [
  guide.tryOut,
  ...stepsOf(guide).flatMap(({ title, text, sketch, fields = [] }) => [
    title,
    text,
    ...(sketch?.menu ?? []),
    ...(sketch?.parts ?? []).map(wordsOf),
    ...fields.flatMap(({ label, help }) => (help ? [label, help] : [label])),
  ]),
];

const needsPerson = ({ routes, registersAddress }: Adapter): boolean =>
  routes.length > 0 && !registersAddress;

test('every platform has its guide', () => {
  assert.deepEqual(adapters.map(({ platform }) => platform).sort(), [...platforms].sort());
  for (const { platform, guide } of adapters) assert.ok(guide.before.length > 0, platform);
});

for (const adapter of adapters) {
  const { platform, guide, settings, check } = adapter;

  test(`${platform}: each setting is explained by exactly one step`, () => {
    const explained = guide.before.flatMap(({ fields = [] }) => fields.map(({ name }) => name));
    assert.deepEqual([...explained].sort(), givenNames(settings).sort());
    assert.ok(guide.after.every(({ fields }) => fields === undefined));
  });

  test(`${platform}: nobody has to open a rare step`, () => {
    const hidden = guide.before.flatMap(({ isRare, fields = [] }) => (isRare ? fields : []));
    assert.deepEqual(
      hidden.filter(({ name }) => settings.required?.includes(name)),
      [],
    );
  });

  test(`${platform}: its texts exist in both languages, in sentences that end`, () => {
    for (const { en, ru } of textsOf(guide)) assert.ok(en.trim() !== '' && ru.trim() !== '', `${en}|${ru}`);
    for (const { text } of stepsOf(guide)) {
      assert.match(text.en, /[.:]$/);
      assert.match(text.ru, /[а-яё].*[.:]$/is);
    }
  });

  test(`${platform}: a person gives its provider the address exactly if Patchbay does not`, () => {
    const gives = guide.after.flatMap(({ gives: given = [] }) => given);
    const made = ['address', 'login_command', 'script_tag'];
    assert.equal(gives.includes('address'), needsPerson(adapter));
    assert.equal(gives.includes('login_command'), adapter.logIn !== undefined);
    assert.deepEqual(
      gives.filter((name) => !made.includes(name) && !givenNames(settings).includes(name)),
      [],
    );
  });

  test(`${platform}: a step with a picture marks what the person needs`, () => {
    for (const { sketch, fields } of stepsOf(guide)) {
      if (!sketch || !fields) continue;
      const isMarked = sketch.parts.some(({ marked }) => marked);
      assert.ok(isMarked, sketch.window);
    }
  });

  if (check) {
    test(`${platform}: the check uses settings of the platform`, () => {
      assert.ok(check.needs.length > 0);
      assert.deepEqual(
        check.needs.filter((name) => !settings.required?.includes(name)),
        [],
      );
    });
  }
}
