import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Message } from './api.js';
import { createConversation, type Item } from './conversation.js';

let shown: Item[];
let conversation: ReturnType<typeof createConversation>;

beforeEach(() => {
  shown = [];
  conversation = createConversation({
    placed(item, next) {
      shown = shown.filter((other) => other !== item);
      shown.splice(next ? shown.indexOf(next) : shown.length, 0, item);
    },
    changed: () => {},
  });
});

const message = (uuid: string, second: number, more: Partial<Message> = {}): Message => ({
  uuid,
  echo_id: null,
  from: 'team',
  type: 'text',
  text: uuid,
  url: null,
  buttons: [],
  author: null,
  at: new Date(second * 1000).toISOString(),
  seen: false,
  ...more,
});

const texts = () => shown.map(({ text }) => text);

test('messages are shown by their time, in any order of arrival', () => {
  for (const one of [message('c', 3), message('a', 1), message('b', 2)]) conversation.learn(one);
  assert.deepEqual(texts(), ['a', 'b', 'c']);
  assert.deepEqual(conversation.items, shown);
});

test('a repeated message is shown once', () => {
  assert.equal(conversation.learn(message('a', 1)), true);
  assert.equal(conversation.learn(message('a', 1)), false);
  assert.deepEqual(texts(), ['a']);
});

test('an unsent message is last, until it has its place', () => {
  const sent = conversation.write({ echo_id: 'echo', text: 'mine' });
  conversation.learn(message('a', 10));
  conversation.learn(message('b', 30));
  assert.deepEqual(texts(), ['a', 'b', 'mine']);
  assert.equal(conversation.learn(message('m', 20, { echo_id: 'echo', from: 'client', text: 'mine' })), true);
  assert.deepEqual(texts(), ['a', 'mine', 'b']);
  assert.deepEqual([sent.state, sent.uuid], ['stored', 'm']);
  assert.equal(conversation.learn(message('m', 20, { echo_id: 'echo', from: 'client' })), false);
  assert.equal(shown.length, 3);
});

test('messages in quick succession keep their order while they are sent', () => {
  for (const text of ['one', 'two', 'three']) conversation.write({ echo_id: text, text });
  assert.deepEqual(texts(), ['one', 'two', 'three']);
});

test('unseen messages are counted until they are seen', () => {
  conversation.learn(message('a', 1));
  conversation.learn(message('b', 2, { seen: true }));
  assert.equal(conversation.unseen(), 1);
  for (const item of shown) conversation.see(item);
  assert.equal(conversation.unseen(), 0);
});
