import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { apart, JsonObject, Nullable, Text } from './fields.ts';
import { callerReader } from './validation.ts';

const inner = Type.Object({ a: Type.String() });
const schema = Type.Object({
  name: Text(),
  inner: Type.Optional(inner),
  list: Type.Optional(Type.Array(inner)),
  either: Type.Optional(Type.Union([inner, Type.Object({ b: Type.String() })])),
  maybe: Type.Optional(Nullable(Type.String())),
  any: Type.Optional(JsonObject),
  separate: Type.Optional(apart(Type.Object({ id: Type.String() }))),
});
const read = callerReader(schema);

test('a field that the schema does not name reaches no action, at any depth', () => {
  const given = JSON.parse(`{
    "name": "n", "projectId": "x", "__proto__": {"projectId": "x"}, "constructor": 1,
    "inner": {"a": "1", "projectId": "x"},
    "list": [{"a": "1"}, {"a": "2", "projectId": "x"}],
    "either": {"b": "1", "projectId": "x"}
  }`);
  const named = read(given);
  assert.deepEqual(named, {
    name: 'n',
    inner: { a: '1' },
    list: [{ a: '1' }, { a: '2' }],
    either: { b: '1' },
  });
  assert.ok(!('projectId' in named));
});

test('objects of any fields, and values with a reader of their own, are kept whole', () => {
  const given = { name: 'n', maybe: null, any: { x: { y: 1 } }, separate: { id: '1', more: 2 } };
  assert.equal(read(given), given);
});

test('wrong values are refused as ever', () => {
  for (const wrong of [null, [], 'x', { name: {} }, { name: 'n', list: {} }, { name: 'n', inner: [] }]) {
    assert.throws(() => read(wrong));
  }
});
