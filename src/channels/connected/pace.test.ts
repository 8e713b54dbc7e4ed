import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBusy, isOfChat, lessonOf, type Window } from './pace.ts';

const window = (part: Partial<Window>): Window => ({
  rate: null,
  calls: 0,
  refused: 0,
  seconds: 0,
  before: 0,
  ...part,
});

test('a rate limit on a channel that has hardly sent anything teaches nothing', () => {
  assert.equal(lessonOf(window({ calls: 1, refused: 1 })), null);
  assert.equal(lessonOf(window({ rate: 30, calls: 9, refused: 1 })), null);
});

test('the limit of a partly refused burst is the accepted part', () => {
  assert.deepEqual(lessonOf(window({ calls: 60, refused: 10 })), { limit: 50, rate: 40 });
});

test('a longer time counts instead of its last second, and the window before counts too', () => {
  assert.deepEqual(lessonOf(window({ calls: 110, refused: 10, seconds: 5 })), { limit: 20, rate: 16 });
  assert.deepEqual(lessonOf(window({ calls: 11, refused: 1, seconds: 1, before: 100 })), {
    limit: 100,
    rate: 80,
  });
});

test('slow traffic is not mistaken for the limit: one refusal at most halves the rate', () => {
  assert.equal(lessonOf(window({ rate: 30, calls: 20, refused: 1, seconds: 10 }))?.rate, 15);
  assert.equal(lessonOf(window({ calls: 20, refused: 1, seconds: 10 }))?.rate, 10);
});

test('sending restarts at no less than half of the achieved rate, and at no more than the allowed rate', () => {
  fc.assert(
    fc.property(
      fc.option(fc.double({ min: 0.2, max: 2_000, noNaN: true })),
      fc.nat(5_000),
      fc.nat(5_000),
      fc.double({ min: 0, max: 20, noNaN: true }),
      (rate, calls, refused, seconds) => {
        const lesson = lessonOf(window({ rate, calls, refused: Math.min(refused, calls), seconds }));
        if (!lesson) return;
        assert.ok(lesson.rate >= lesson.limit / 2);
        if (rate !== null) assert.ok(lesson.limit <= rate && lesson.rate <= rate);
      },
    ),
  );
});

test('a refusal right after another message to the chat is for that chat, unless the channel is busy', () => {
  const [idle, busy] = [window({ calls: 2, refused: 1 }), window({ calls: 60, refused: 1 })];
  assert.deepEqual([isBusy(idle), isBusy(busy)], [false, true]);
  assert.equal(isOfChat('channel', idle, true), true);
  assert.equal(isOfChat('channel', busy, true), false);
  assert.equal(isOfChat('channel', idle, false), false);
  assert.equal(isOfChat('chat', busy, false), true);
});
