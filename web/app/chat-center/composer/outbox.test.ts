import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Unreachable } from '../../shared/unreachable.ts';
import { createOutbox } from './outbox.ts';

/** An operator's outbox, and a server that can be out of reach. */
function scene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const arrived: string[] = [];
  const server = { isReached: true, tries: 0 };
  const outbox = createOutbox('olga', async ({ text }) => {
    server.tries += 1;
    if (!server.isReached) throw new Unreachable();
    if (text === 'bad') throw new Error('The text is bad.');
    arrived.push(text);
  });
  const write = (text: string, chat = 'ann') =>
    outbox.add({ id: text, chat, type: 'text', text, attachment: null, at: '2026-01-01T00:00:00Z' });
  const states = () => outbox.held.get().map(({ text, state }) => [text, state]);
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await turnOfTheLoop();
  };
  return { arrived, server, outbox, write, states, pass };
}

test('an entry that did not reach the server is sent again by itself, and those behind it wait for it', async (t) => {
  const { arrived, server, write, states, pass } = scene(t);
  server.isReached = false;
  write('first');
  await turnOfTheLoop();
  write('second');
  await turnOfTheLoop();
  assert.deepEqual(states(), [
    ['first', 'unreached'],
    ['second', 'sending'],
  ]);
  server.isReached = true;
  await pass(2_000);
  assert.deepEqual(arrived, ['first', 'second']);
  assert.deepEqual(states(), []);
});

test('a server that stays out of reach is tried ever more seldom, and each chat at once when it is back', async (t) => {
  const { arrived, server, outbox, write, pass } = scene(t);
  server.isReached = false;
  write('to ann');
  write('to bob', 'bob');
  await turnOfTheLoop();
  const before = server.tries;
  for (let second = 0; second < 600; second += 1) await pass(1_000);
  const tries = (server.tries - before) / 2;
  assert.ok(tries >= 20 && tries <= 30, `${tries} tries in ten minutes`);
  server.isReached = true;
  outbox.resume();
  await turnOfTheLoop();
  assert.deepEqual(arrived.toSorted(), ['to ann', 'to bob']);
});

test('a refused entry waits for its author, and those behind it do not', async (t) => {
  const { arrived, write, states, pass } = scene(t);
  write('bad');
  write('good');
  await turnOfTheLoop();
  await pass(60_000);
  assert.deepEqual(arrived, ['good']);
  assert.deepEqual(states(), [['bad', 'refused']]);
});
