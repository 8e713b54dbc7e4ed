import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import Type from 'typebox';
import { isPageAnswer, itemSchemaOf, pageJson } from './page-json.ts';
import { PageOf } from './pages.ts';

const Thing = Type.Object({ text: Type.String() });
const items = itemSchemaOf(PageOf(Thing));

/** Writes a page of as many things, and counts the turns that others had meanwhile. */
async function written(texts: string[]) {
  const server = fastify();
  let turns = 0;
  server.get('/', async (_request, reply) => {
    assert.ok(items);
    const page = {
      count: 7,
      next: null,
      previous: 'https://a.test/',
      results: texts.map((text) => ({ text })),
    };
    const others = (): void => {
      turns += 1;
      next = setImmediate(others);
    };
    let next = setImmediate(others);
    const json = await pageJson(reply, items, page);
    clearImmediate(next);
    return reply.send(json);
  });
  const { body } = await server.inject('/');
  return { turns, page: JSON.parse(body) };
}

test('others have a turn between large items of a page', async () => {
  const texts = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(65_536)}`);
  const { turns, page } = await written(texts);
  assert.ok(turns >= 19, `${turns} turns`);
  assert.deepEqual(page, {
    count: 7,
    next: null,
    previous: 'https://a.test/',
    results: texts.map((text) => ({ text })),
  });
});

test('a small page is written at once', async () => {
  for (const texts of [[], ['a'], ['a', 'b']]) {
    const { turns, page } = await written(texts);
    assert.deepEqual([turns, page.results], [0, texts.map((text) => ({ text }))]);
  }
});

test('a page is found among the answers of a schema', () => {
  const things = PageOf(Thing);
  assert.equal(itemSchemaOf(things), Thing);
  assert.equal(itemSchemaOf(Type.Union([Thing, things])), Thing);
  assert.equal(itemSchemaOf(Thing), null);
  assert.ok(isPageAnswer({ results: [{}] }));
  for (const other of [{}, { results: null }, { results: ['a'] }, null]) assert.ok(!isPageAnswer(other));
});
