import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Invalid } from '../../platform/problem.ts';
import { checkRules, dueMoment, fits, launchMoment, opensOn, platformsFor } from './rules.ts';
import { contentTypes, type PushMessageCreate } from './schema.ts';

const text = { type: 'TEXT', text: 'Hi' } as const;
const uuid = '018f0000-0000-7000-8000-000000000000';

function problemsOf(body: PushMessageCreate): unknown {
  try {
    checkRules(body);
    return null;
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.fields;
  }
}

const cases: [string, PushMessageCreate, unknown][] = [
  ['a chat is enough', { content: text, chat: { uuid } }, null],
  ['a profile is enough', { content: text, profile: { external_id: 'c-1' } }, null],
  ['both may be named', { content: text, chat: { uuid }, profile: { uuid } }, null],
  [
    'nobody is a problem of the whole body',
    { content: text },
    { non_field_errors: ['Either chat or profile is required.'] },
  ],
  [
    'a chat without an identifier is refused',
    { content: text, chat: {} },
    {
      chat: {
        non_field_errors: [
          'Exactly one of uuid, telegram_id, telegram_username, vkontakte_id, max_id is required.',
        ],
      },
    },
  ],
  [
    'two identifiers of one profile are refused',
    { content: text, profile: { uuid, phone_number: '+79991234567' } },
    { profile: { non_field_errors: ['Exactly one of uuid, phone_number, external_id is required.'] } },
  ],
  [
    'tags are no identifier',
    { content: text, profile: { tags: ['vip'] } },
    { profile: { non_field_errors: ['Exactly one of uuid, phone_number, external_id is required.'] } },
  ],
  [
    'a text type needs a text',
    { content: { type: 'MAX_PERSONAL_TEXT' }, chat: { uuid } },
    { content: { text: ['This field is required.'] } },
  ],
  [
    'a node type needs a node',
    { content: { type: 'TELEGRAM_PERSONAL_NODE' }, chat: { uuid } },
    { content: { node: ['This field is required.'] } },
  ],
  [
    'a template type needs a template',
    { content: { type: 'WHATSAPP_TEMPLATE' }, chat: { uuid } },
    { content: { whatsapp_template: ['This field is required.'] } },
  ],
  [
    'every broken rule is said at once',
    { content: { type: 'TEXT' }, chat: {} },
    {
      chat: {
        non_field_errors: [
          'Exactly one of uuid, telegram_id, telegram_username, vkontakte_id, max_id is required.',
        ],
      },
      content: { text: ['This field is required.'] },
    },
  ],
];

for (const [promise, body, expected] of cases) {
  test(promise, () => assert.deepEqual(problemsOf(body), expected));
}

test('a launch time is cut to its minute, in any time zone', () => {
  assert.equal(launchMoment('2026-11-20T10:00:59.999+05:30')?.toISOString(), '2026-11-20T04:30:00.000Z');
  assert.equal(launchMoment(null), null);
});

test('a launch in the past is due now', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  assert.equal(dueMoment(new Date('2026-11-20T11:59:00Z'), now), now);
  assert.equal(dueMoment(null, now), now);
  assert.equal(dueMoment(new Date('2026-11-20T12:01:00Z'), now).toISOString(), '2026-11-20T12:01:00.000Z');
});

test('every content type belongs to its platform, and the common types to none', () => {
  const own = { WHATSAPP: 'Whatsapp', TELEGRAM_PERSONAL: 'Telegram_Personal', MAX_PERSONAL: 'Max_Personal' };
  for (const type of contentTypes) {
    const platform = Object.entries(own).find(([prefix]) => type.startsWith(prefix))?.[1];
    if (platform) {
      assert.deepEqual(platformsFor(type), [platform]);
      assert.ok(fits(type, platform) && !fits(type, 'Telegram'));
    } else {
      assert.equal(platformsFor(type).length, 13);
      assert.ok(
        Object.values(own).every((platform) => !platformsFor(type).some((other) => other === platform)),
      );
    }
  }
});

test('only a template or a first personal text opens a chat by phone number', () => {
  assert.deepEqual(
    contentTypes.filter((type) => opensOn(type) !== null),
    ['WHATSAPP_TEMPLATE', 'TELEGRAM_PERSONAL_TEXT', 'MAX_PERSONAL_TEXT'],
  );
});
