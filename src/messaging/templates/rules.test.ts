import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTemplateVariables, missingVariables, renderTemplate, templateValues } from './rules.ts';

const template = {
  body: 'Hi {{name}}, {{ order }} costs {{toString}}',
  variables: ['name', 'order', 'toString'],
};
const required = ['This field is required.'];

test('a variable is missing when it has no own value; an empty text is a value', () => {
  assert.deepEqual(missingVariables(template, {}), ['name', 'order', 'toString']);
  assert.deepEqual(missingVariables(template, { name: null, toString: '', order: 0, other: 1 }), ['name']);
});

test('a body is rendered with its variables, whose values are not interpreted', () => {
  const values = { name: '{{order}} $&', order: 17, toString: { amount: 5 } };
  assert.equal(renderTemplate(template, values), 'Hi {{order}} $&, 17 costs {"amount":5}');
  assert.equal(renderTemplate(template, {}), 'Hi ,  costs ');
});

test('a mailing must give every variable: a global one needs a value, one from the file needs a file', () => {
  const file = { type: 'FILE' } as const;
  const global = (value?: string | null) => ({ type: 'GLOBAL' as const, value });
  const right = { name: file, order: global('17'), toString: global('') };
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
