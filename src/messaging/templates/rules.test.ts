import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONValue } from '../../platform/database/database.ts';
import {
  checkTemplateVariables,
  checkValues,
  fillTemplate,
  renderTemplate,
  templateValues,
} from './rules.ts';

const template = {
  body: 'Hi {{name}}, {{ order }} costs {{toString}}',
  variables: ['name', 'order', 'toString'],
};
const required = ['This field is required.'];

const blank = ['This field may not be blank.'];
const oneLine = ['A value has one line, without tabs and without more than four spaces in a row.'];

test('a variable is missing when it has no own value, and an empty text is none', () => {
  assert.deepEqual(checkValues(template, {}), { name: required, order: required, toString: required });
  assert.deepEqual(checkValues(template, { name: null, toString: ' ', order: 0, other: '' }), {
    name: required,
    toString: blank,
  });
});

test('a value has one line, no tabs and at most four spaces in a row', () => {
  const problemOf = (name: string, value: JSONValue) =>
    checkValues({ variables: [name] }, { [name]: value })?.[name];
  for (const value of ['a\nb', 'a\rb', 'a\tb', 'a     b']) {
    assert.deepEqual(problemOf('header.1', value), oneLine, JSON.stringify(value));
  }
  for (const value of ['a    b', ' a ', 'a\u00a0b', 17, { a: 'b\nc' }]) {
    assert.equal(problemOf('1', value), undefined, JSON.stringify(value));
  }
});

test('a file is named by its address on the web', () => {
  const problemOf = (value: string) => checkValues({ variables: ['media.image'] }, { 'media.image': value });
  assert.equal(problemOf('https://shop.example/a.png'), undefined);
  for (const value of ['a.png', 'file:///a.png', '{{photo}}']) {
    assert.deepEqual(problemOf(value), { 'media.image': ['Enter a valid URL.'] });
  }
});

test('a provider gets the values of the body in its order, and then the further ones', () => {
  const numbered = {
    name: 'order',
    language: 'en',
    body: '{{2}} and {{1}}',
    variables: ['1', '2', 'header.1'],
  };
  const values = { 1: 'a', 2: 'b', 'header.1': 'c', other: 'd' };
  assert.deepEqual(fillTemplate(numbered, values).variables, [
    { name: '1', value: 'a' },
    { name: '2', value: 'b' },
    { name: 'header.1', value: 'c' },
  ]);
});

test('a body is rendered with its variables, whose values are not interpreted', () => {
  const values = { name: '{{order}} $&', order: 17, toString: { amount: 5 } };
  assert.equal(renderTemplate(template, values), 'Hi {{order}} $&, 17 costs {"amount":5}');
  assert.equal(renderTemplate(template, {}), 'Hi ,  costs ');
});

test('a mailing must give every variable: a global one needs a value, one from the file needs a file', () => {
  const file = { type: 'FILE' } as const;
  const global = (value?: string | null) => ({ type: 'GLOBAL' as const, value });
  const right = { name: file, order: global('17'), toString: global('x') };
  assert.equal(checkTemplateVariables(template, right, true), undefined);
  assert.deepEqual(checkTemplateVariables(template, right, false), {
    name: { type: ['FILE needs a file of recipients.'] },
  });
  const wrong = { name: global(), order: global(null) };
  assert.deepEqual(checkTemplateVariables(template, wrong, true), {
    name: { value: required },
    order: { value: ['This field may not be null.'] },
    toString: required,
  });
  const unfit = { name: file, order: global(''), toString: global('a\nb') };
  assert.deepEqual(checkTemplateVariables(template, unfit, true), {
    order: { value: blank },
    toString: { value: oneLine },
  });
});

test('the values for a recipient are the global ones, and the columns of their line in the file', () => {
  const variables = {
    name: { type: 'FILE' },
    order: { type: 'GLOBAL', value: 17 },
    city: { type: 'FILE' },
  } as const;
  const values = templateValues(variables, { name: 'Ann', order: '18', other: 'x' });
  assert.deepEqual(values, { name: 'Ann', order: 17, city: null });
});
