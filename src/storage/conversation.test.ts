import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Conversation } from './conversation.ts';

const message = (letter: string, body = '') => {
  const header = Buffer.alloc(5);
  header.write(letter);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, Buffer.from(body)]);
};
const ready = (status = 'I') => message('Z', status);

let conversation: Conversation;
beforeEach(() => {
  conversation = new Conversation();
  conversation.sent(Buffer.from('a startup message, which has no type'));
});

test('the startup is due an answer', () => {
  assert.equal(conversation.isAnswerDue, true);
  conversation.received(Buffer.concat([message('R', '\0\0\0\0'), ready()]));
  assert.equal(conversation.isAnswerDue, false);
});

test('of pipelined queries, answers are due until the last is ready', () => {
  conversation.received(ready());
  conversation.sent(Buffer.concat([message('Q', 'a'), message('P'), message('B'), message('S')]));
  conversation.received(Buffer.concat([message('C'), ready()]));
  assert.equal(conversation.isAnswerDue, true);
  conversation.received(Buffer.concat([message('1'), message('2'), message('C')]));
  assert.equal(conversation.isAnswerDue, true);
  conversation.received(ready());
  assert.equal(conversation.isAnswerDue, false);
});

test('a flush is due the description it asked for, and not the answers of queries before it', () => {
  conversation.received(ready());
  conversation.sent(Buffer.concat([message('Q', 'a'), message('P'), message('D'), message('H')]));
  conversation.received(Buffer.concat([message('t'), message('C'), ready()]));
  assert.equal(conversation.isAnswerDue, true);
  conversation.received(Buffer.concat([message('1'), message('t'), message('T')]));
  assert.equal(conversation.isAnswerDue, false);
});

test('a failed flush is answered by its error', () => {
  conversation.received(ready());
  conversation.sent(Buffer.concat([message('P'), message('H')]));
  conversation.received(message('E'));
  assert.equal(conversation.isAnswerDue, false);
});

test('the server says whether a transaction is open', () => {
  conversation.received(ready());
  assert.equal(conversation.isInTransaction, false);
  conversation.sent(message('Q', 'begin'));
  conversation.received(Buffer.concat([message('C'), ready('T')]));
  assert.equal(conversation.isInTransaction, true);
  conversation.sent(message('Q', 'commit'));
  conversation.received(Buffer.concat([message('C'), ready('I')]));
  assert.equal(conversation.isInTransaction, false);
});
