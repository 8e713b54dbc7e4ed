import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { NewThing } from '../../../test/small-api.ts';
import { Invalid } from '../problem.ts';
import { Choice, DateTime, Integer, Nullable, Text, Uri, Uuid } from './fields.ts';
import { reader } from './validation.ts';

const complaintsOf = (read: (input: unknown) => unknown, input: unknown): unknown => {
  try {
    read(input);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Invalid);
    return error.fields;
  }
};

const uuid = '0190a1b2-0000-7000-8000-000000000001';
const wrongDateTime =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].';
const either = Type.Union([Uuid, Type.Object({ uuid: Uuid })]);

// biome-ignore format: a table is read in columns
const cases: [schema: Type.TSchema, wrong: unknown, complaint: unknown][] = [
  [Text(), null, ['This field may not be null.']],
  [Text(), '', ['This field may not be blank.']],
  [Text(), 5, ['Not a valid string.']],
  [Text(), {}, ['Not a valid string.']],
  [Text(3), 'abcd', ['Ensure this field has no more than 3 characters.']],
  [Text(3), '😀😀😀😀', ['Ensure this field has no more than 3 characters.']],
  [Type.String({ minLength: 3 }), '😀😀', ['Ensure this field has at least 3 characters.']],
  [Type.String({ pattern: '^\\d+$' }), 'x', ['Enter a valid value.']],
  [Uuid, 'x', ['Must be a valid UUID.']],
  [Uuid, `{${uuid}}`, ['Must be a valid UUID.']],
  [Uuid, 5, ['Must be a valid UUID.']],
  [Nullable(Uuid), {}, ['Must be a valid UUID.']],
  [Uri, 'example.org', ['Enter a valid URL.']],
  [DateTime, '2026-11-20T04:00:00', [wrongDateTime]],
  [Nullable(DateTime), 'x', [wrongDateTime]],
  [Choice(['a', 'b']), 'c', ['"c" is not a valid choice.']],
  [Choice(['a', 'b']), '', ['"" is not a valid choice.']],
  [Choice(['a', 'b']), 5, ['"5" is not a valid choice.']],
  [Choice(['a', 'b']), { a: 1 }, ['"{"a":1}" is not a valid choice.']],
  [Choice(['a', 'b']), 'x'.repeat(1000), [`"${'x'.repeat(100)}…" is not a valid choice.`]],
  [Type.Literal('a'), 'b', ['"b" is not a valid choice.']],
  [Integer(), '5', ['A valid integer is required.']],
  [Integer(), 1.5, ['A valid integer is required.']],
  [Integer(), true, ['A valid integer is required.']],
  [Integer(), 1e300, ['Ensure this value is less than or equal to 9007199254740991.']],
  [Integer(5, 10), 4, ['Ensure this value is greater than or equal to 5.']],
  [Integer(5, 10), 11, ['Ensure this value is less than or equal to 10.']],
  [Type.Number(), '5', ['A valid number is required.']],
  [Type.Boolean(), 'true', ['Must be a valid boolean.']],
  [Type.Boolean(), 1, ['Must be a valid boolean.']],
  [Type.Boolean(), null, ['This field may not be null.']],
  [Type.Array(Text()), 'x', ['Expected a list of items but got type "str".']],
  [Type.Array(Text()), {}, ['Expected a list of items but got type "dict".']],
  [Type.Array(Text()), ['a', '', 'b', 5], { 1: ['This field may not be blank.'], 3: ['Not a valid string.'] }],
  [Type.Array(Text(), { minItems: 1 }), [], ['This list may not be empty.']],
  [Type.Array(Text(), { minItems: 2 }), ['a'], ['Ensure this field has at least 2 elements.']],
  [Type.Array(Text(), { maxItems: 2 }), ['a', 'b', 'c'], ['Ensure this field has no more than 2 elements.']],
  [Type.Array(Type.Object({ name: Text() })), [{ name: 'a' }, {}], { 1: { name: ['This field is required.'] } }],
  [Type.Object({ a: Text() }), 'x', { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] }],
  [Type.Object({ a: Text() }), [], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
  [Type.Object({ a: Text() }), 1.5, { non_field_errors: ['Invalid data. Expected a dictionary, but got float.'] }],
  [Type.Object({ a: Text() }), true, { non_field_errors: ['Invalid data. Expected a dictionary, but got bool.'] }],
  [Type.Object({ a: Text() }), null, ['This field may not be null.']],
  [Type.Object({ a: Text(), b: Uuid }), {}, { a: ['This field is required.'], b: ['This field is required.'] }],
  [Type.Object({ a: Type.Object({ b: Type.Object({ c: Uuid }) }) }), { a: { b: { c: 'x' } } }, { a: { b: { c: ['Must be a valid UUID.'] } } }],
  [Type.Object({ toString: Text() }), {}, { toString: ['This field is required.'] }],
  [Type.Record(Type.String(), Type.String()), [], ['Expected a dictionary of items but got type "list".']],
  [Type.Record(Type.String(), Type.String()), { a: 'b', c: 5 }, { c: ['Not a valid string.'] }],
  [either, 'x', ['Must be a valid UUID.']],
  [either, { uuid: 'x' }, { uuid: ['Must be a valid UUID.'] }],
  [either, 5, ['Must be a valid UUID.']],
  [either, null, ['This field may not be null.']],
];

test('each wrong field is explained in the texts that API clients know', async (t) => {
  for (const [schema, wrong, complaint] of cases) {
    await t.test(JSON.stringify([schema, wrong]).slice(0, 120), () => {
      assert.deepEqual(complaintsOf(reader(Type.Object({ field: schema })), { field: wrong }), {
        field: complaint,
      });
    });
  }
});

test('a valid value is accepted', () => {
  const right: [schema: Type.TSchema, value: unknown][] = [
    [Text(3), '😀😀😀'],
    [Uuid, uuid.toUpperCase()],
    [Integer(), 1.0],
    [Nullable(Text()), null],
    [Nullable(Type.Object({ a: Text() })), null],
    [Type.Optional(Text()), undefined],
    [either, uuid],
    [either, { uuid }],
    [Type.Unknown(), null],
  ];
  for (const [schema, value] of right) {
    const input = value === undefined ? {} : { field: value };
    assert.deepEqual(reader(Type.Object({ field: schema }))(input), input);
  }
});

const hundredThousand = 100_000;
const manyOf = (value: unknown) => Array<unknown>(hundredThousand).fill(value);
const manyNamed = (value: unknown) => Object.fromEntries(manyOf(value).map((each, index) => [index, each]));
const thing = Type.Object({ a: Text(), b: Text() }, { additionalProperties: false });

const floods: { [name: string]: [schema: Type.TSchema, input: unknown] } = {
  'bad identifiers': [Type.Array(Uuid), manyOf('x')],
  'values that are no objects': [Type.Array(thing), manyOf(1)],
  'objects without their fields': [Type.Array(thing), manyOf({})],
  'named values that are no objects': [Type.Record(Type.String(), thing), manyNamed(1)],
  'fields that do not exist': [thing, { a: 'a', b: 'b', ...manyNamed(1) }],
  'texts that cannot be stored': [Type.Array(Text()), manyOf('\0')],
  'items more than a list takes': [Type.Array(thing, { maxItems: 10 }), manyOf(1)],
  'names more than an object takes': [Type.Record(Type.String(), thing, { maxProperties: 10 }), manyNamed(1)],
  'letters in one name': [Type.Record(Type.String(), Text()), { ['x'.repeat(hundredThousand)]: 1 }],
  'letters in one name that cannot be stored': [Type.Unknown(), { ['\0'.repeat(hundredThousand)]: 1 }],
};

for (const [name, [schema, input]] of Object.entries(floods)) {
  test(`the answer to a hundred thousand ${name} has a few kilobytes`, () => {
    const read = reader(Type.Object({ first: schema, second: schema }));
    const fields = complaintsOf(read, { first: input, second: input });
    assert.ok(JSON.stringify(fields).length < 20_000);
  });
}

test('too many items or names are refused before any of them is looked at', () => {
  const most = { maxItems: 2, maxProperties: 2 };
  const untouchable = (target: object) =>
    new Proxy(target, {
      get: (of, name) => {
        assert.ok(typeof name === 'symbol' || !/^\d+$/.test(name), `item ${String(name)} was read`);
        return Reflect.get(of, name);
      },
    });
  const lists = Nullable(Type.Array(thing, most));
  const maps = Nullable(Type.Record(Type.String(), thing, most));
  const read = reader(Type.Object({ lists, maps }));
  const fields = complaintsOf(read, {
    lists: untouchable([1, 2, 3]),
    maps: untouchable({ 1: 1, 2: 2, 3: 3 }),
  });
  assert.deepEqual(fields, {
    lists: ['Ensure this field has no more than 2 elements.'],
    maps: ['Ensure this field has no more than 2 elements.'],
  });
});

test('every refused input is explained, and no valid input is', () => {
  const read = reader(NewThing);
  const words = fc.constantFrom<unknown>('a', '', uuid, null, 5, 1.5, true, [], {}, '2026-11-20T04:00:00Z');
  const anything = fc.oneof(words, fc.jsonValue());
  const field = fc.oneof(
    anything,
    fc.array(anything),
    fc.record({ uuid: anything, since: anything }, { requiredKeys: [] }),
  );
  const names = Object.keys(NewThing.properties);
  const inputs = fc.oneof(
    anything,
    fc.record(Object.fromEntries(names.map((name) => [name, field])), { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(inputs, (input) => {
      assert.notDeepEqual(complaintsOf(read, input), { non_field_errors: ['Invalid data.'] });
    }),
    { numRuns: 2000 },
  );
});
