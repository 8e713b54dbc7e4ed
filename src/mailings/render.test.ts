import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksForFacts, CannotRender, type Recipient, renderTemplateBody, renderText } from './render.ts';

const content = { text: null, links: [], template_body: null, template_variables: {} };
const ours = (index: number) => `https://ours.test/${index}`;
const nobody = { facts: null };

test('a link that is not tracked stays unchanged', () => {
  const text = 'https://a.test/{{n}} and https://b.test/{{n}}';
  const recipient = { ...nobody, variables: { n: '1 2' } };
  const said = (links: string[]) => renderText({ ...content, text, links }, recipient, ours).text;
  assert.equal(said([]), 'https://a.test/1%202 and https://b.test/1%202');
  assert.equal(said(['https://a.test/{{n}}']), 'https://ours.test/0 and https://b.test/1%202');
});

test('a template without one of its values is not sent', () => {
  const template = {
    ...content,
    template_body: 'Hello {{name}}',
    template_variables: { name: { type: 'FILE' } },
  } as const;
  assert.equal(renderTemplateBody(template, { ...nobody, variables: { name: 'Ann' } }).text, 'Hello Ann');
  const lacking: Record<string, string>[] = [{}, { name: '' }];
  for (const variables of lacking) {
    assert.throws(() => renderTemplateBody(template, { ...nobody, variables }), CannotRender);
  }
});

test('a template is not sent with a value that no provider takes', () => {
  const template = {
    ...content,
    template_body: 'Hello {{name}}',
    template_variables: { name: { type: 'FILE' }, 'header.1': { type: 'FILE' } },
    template: { name: 'hello', language: 'en', variables: ['name', 'header.1'] },
  } as const;
  const rendered = (name: string) =>
    renderTemplateBody(template, { ...nobody, variables: { name, 'header.1': '17' } });
  assert.deepEqual(rendered('Ann').template?.variables, [
    { name: 'name', value: 'Ann' },
    { name: 'header.1', value: '17' },
  ]);
  assert.throws(() => rendered('Ann\nLee'), {
    code: 'bad_content',
    message: /variable "name": A value has one line/,
  });
  const older = { ...template, template_variables: { name: { type: 'FILE' } } } as const;
  assert.throws(() => renderTemplateBody(older, { ...nobody, variables: { name: 'Ann' } }), {
    code: 'unsupported',
    message: /no value for the template's variable "header\.1"/,
  });
});

test('a code is no fact, and it is required', () => {
  assert.equal(asksForFacts('Take {{promocode:Spring}}'), false);
  assert.equal(asksForFacts('Hello {{name}}, take {{promocode:Spring}}'), true);
  const text = '{{promocode:Spring}}';
  const said = (promocodes: Record<string, string>) =>
    renderText({ ...content, text }, { ...nobody, promocodes }, ours).text;
  assert.equal(said({ Spring: 'ABC' }), 'ABC');
  assert.throws(() => said({}), CannotRender);
});

test('a text that becomes too long for a recipient is refused, and only a little of it is built', () => {
  const value = 'x'.repeat(16_384);
  const recipient: Recipient = { facts: null, variables: { a: value } };
  for (const text of ['{{a}}'.repeat(8_000), 'https://a.test/{{a}} '.repeat(3_000)]) {
    assert.throws(() => renderText({ ...content, text }, recipient, ours), /too long/);
  }
  const variables = { a: { type: 'GLOBAL', value } } as const;
  const template = { ...content, template_body: '{{a}}'.repeat(1_000), template_variables: variables };
  assert.throws(() => renderTemplateBody(template, recipient), /too long/);
});
