import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalizePhone, normalizePhoneIn } from './phone.ts';

const numbers: [text: string, e164: string][] = [
  ['+79991234567', '+79991234567'],
  ['79991234567', '+79991234567'],
  ['79161234567', '+79161234567'],
  [' +7 999 123-45-67 ', '+79991234567'],
  ['+7 (999) 123-45-67', '+79991234567'],
  ['+7 999 123‑45‑67', '+79991234567'],
  ['+7\u00a0999\u00a01234567', '+79991234567'],
  ['+44 20 7946 0958', '+442079460958'],
  ['12025550123', '+12025550123'],
  ['+15550001111', '+15550001111'],
  ['+70000000000', '+70000000000'],
  ['+375 29 123-45-67', '+375291234567'],
  ['998901234567', '+998901234567'],
  ['+49 1512 3456789', '+4915123456789'],
];

for (const [text, e164] of numbers) {
  test(`"${text}" is ${e164}`, () => assert.equal(normalizePhone(text), e164));
}

const notNumbers = [
  '',
  '+',
  '7',
  'hello',
  '8 999 123-45-67',
  '9161234567',
  '9101234567890',
  '15550001111',
  '+44 (0)20 7946 0958',
  '+7 8 999 123 45 67',
  '+8109012345678',
  '+7 (999) 123.45.67',
  '89991234567',
  '0079991234567',
  '+7999123456',
  '+799912345678',
  '+999123456789',
  '+7 999 123-45-67 ext. 5',
  '+7 999 123-45-67;ext=5',
  'tel:+79991234567',
  '++79991234567',
  '7+9991234567',
  '+٧٩٩٩١٢٣٤٥٦٧',
  '+1800FLOWERS',
  '1'.repeat(100_000),
];

for (const text of notNumbers) {
  test(`"${text.slice(0, 30)}" is no phone number`, () => assert.equal(normalizePhone(text), null));
}

test('a number in E.164 stays unchanged', () => {
  for (const [, e164] of numbers) assert.equal(normalizePhone(e164), e164);
});

test('an accepted number keeps all of its digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?[0-9]{1,16}$/), (text) => {
      const number = normalizePhone(text);
      if (number !== null) assert.equal(number, `+${text.replace('+', '')}`);
    }),
    { numRuns: 2_000 },
  );
});

for (const [country, text, e164] of [
  ['RU', '8 (916) 123-45-67', '+79161234567'],
  ['RU', '9161234567', '+79161234567'],
  ['RU', '79161234567', '+79161234567'],
  ['RU', '+4951234567', '+4951234567'],
  ['RU', '380671234567', '+380671234567'],
  ['GB', '020 7946 0958', '+442079460958'],
  ['GB', '89161234567', null],
  ['XX', '9161234567', null],
  [null, '9161234567', null],
] as const) {
  test(`in ${country ?? 'no country'} "${text}" is ${e164 ?? 'no number'}`, () =>
    assert.equal(normalizePhoneIn(country, text), e164));
}
