import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SendError } from '../../channels/contract/errors.ts';
import { retryAfterMs } from '../../platform/outbound/retry-after.ts';
import { isUnheard, type Outcome, outcomeOf, precedence, unread } from './rules.ts';

const middle = () => 0.5;
const hour = 3_600_000;

const afterError = (error: SendError, attempts = 1, ageMs = 0): Outcome =>
  outcomeOf({ sent: false, error }, { attempts, ageMs, inDoubt: false }, middle);

test('a provider that accepts the message makes it SENT, with its id', () => {
  assert.deepEqual(
    outcomeOf({ sent: true, providerId: 'p1' }, { attempts: 1, ageMs: 0, inDoubt: false }, middle),
    {
      state: 'SENT',
      providerId: 'p1',
    },
  );
});

for (const code of [
  'blocked',
  'invalid_recipient',
  'window_closed',
  'not_opted_in',
  'bad_content',
] as const) {
  test(`${code} makes it UNDELIVERED at once, with a reason for people`, () => {
    const outcome = afterError({ code });
    assert.equal(outcome.state, 'UNDELIVERED');
    assert.match('detail' in outcome ? outcome.detail : '', /\.$/);
  });
}

test('the adapter’s own reason is preferred to the catalogue’s', () => {
  assert.partialDeepStrictEqual(afterError({ code: 'blocked', detail: 'bot was blocked' }), {
    detail: 'bot was blocked',
  });
});

test('refused credentials are an ERROR and pause the channel', () => {
  assert.partialDeepStrictEqual(afterError({ code: 'auth' }), { state: 'ERROR', pausesChannel: true });
});

test('content that a channel cannot carry is an ERROR that pauses nothing', () => {
  assert.partialDeepStrictEqual(afterError({ code: 'unsupported' }), {
    state: 'ERROR',
    pausesChannel: false,
  });
});

test('a rate limit waits as long as the provider asks, and can still be cancelled', () => {
  assert.partialDeepStrictEqual(afterError({ code: 'rate_limited', retryAfterMs: 7000 }), {
    state: 'PENDING',
    retryInMs: 7000,
    slowDownMs: 7000,
  });
});

test('a rate limit never uses up the attempts', () => {
  assert.equal(afterError({ code: 'rate_limited', retryAfterMs: 1000 }, 500).state, 'PENDING');
});

test('a message is given up after exactly one day of "slow down"', () => {
  const after = (ageMs: number) => afterError({ code: 'rate_limited', retryAfterMs: 1000 }, 1, ageMs).state;
  assert.deepEqual([after(24 * hour), after(24 * hour + 1)], ['PENDING', 'UNDELIVERED']);
});

test('one wait for a provider is at most an hour', () => {
  assert.partialDeepStrictEqual(afterError({ code: 'rate_limited', retryAfterMs: 10 * hour }), {
    retryInMs: hour,
    slowDownMs: hour,
  });
});

test('a failure before anything was sent returns the message to PENDING', () => {
  assert.partialDeepStrictEqual(afterError({ code: 'temporary', mayHaveBeenSent: false }), {
    state: 'PENDING',
    retryInMs: 5000,
  });
});

test('a failure after which the provider may have the message stays IN_PROCESS: a cancel must not promise too much', () => {
  assert.equal(afterError({ code: 'temporary', mayHaveBeenSent: true }).state, 'IN_PROCESS');
});

test('temporary failures are retried with growing delays for about a day, then UNDELIVERED', () => {
  const pauses: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const outcome = afterError({ code: 'temporary', mayHaveBeenSent: false }, attempts);
    if (!('retryInMs' in outcome)) {
      assert.equal(outcome.state, 'UNDELIVERED');
      break;
    }
    pauses.push(outcome.retryInMs);
  }
  const seconds = [5, 20, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];
  assert.deepEqual(
    pauses,
    seconds.map((pause) => pause * 1000),
  );
});

test('a Retry-After longer than the planned delay is obeyed', () => {
  const outcome = afterError({ code: 'temporary', mayHaveBeenSent: false, retryAfterMs: 60_000 });
  assert.partialDeepStrictEqual(outcome, { retryInMs: 60_000 });
  const date = 'Sat, 13 Sep 275760 00:00:00 GMT';
  for (const asked of [1e12, 1e300, retryAfterMs(date, new Date(0)) ?? 0]) {
    const far = afterError({ code: 'temporary', mayHaveBeenSent: false, retryAfterMs: asked });
    assert.partialDeepStrictEqual(far, { retryInMs: 12 * hour });
  }
  const shorter = afterError({ code: 'temporary', mayHaveBeenSent: false, retryAfterMs: 1 });
  assert.partialDeepStrictEqual(shorter, { retryInMs: 5_000 });
});

test('neither a rate limit nor an unreadable message uses up an attempt; a failure does', () => {
  const counts = (outcome: Outcome) => 'counts' in outcome && outcome.counts;
  assert.equal(counts(afterError({ code: 'rate_limited', retryAfterMs: 1000 })), false);
  assert.equal(counts(unread({ attempts: 1, ageMs: 0, inDoubt: false })), false);
  assert.equal(counts(afterError({ code: 'temporary', mayHaveBeenSent: false })), true);
});

test('an unreadable message is never final, and stays uncancellable if it may have been received', () => {
  for (const [inDoubt, state] of [
    [false, 'PENDING'],
    [true, 'IN_PROCESS'],
  ] as const) {
    assert.equal(unread({ attempts: 500, ageMs: 100 * hour, inDoubt }).state, state);
  }
});

test('after a call that may have been received, no later call makes the message cancellable again', () => {
  const errors: SendError[] = [
    { code: 'rate_limited', retryAfterMs: 1000 },
    { code: 'temporary', mayHaveBeenSent: false },
  ];
  for (const error of errors) {
    for (const [inDoubt, state] of [
      [false, 'PENDING'],
      [true, 'IN_PROCESS'],
    ] as const) {
      const history = { attempts: 2, ageMs: 0, inDoubt };
      assert.equal(outcomeOf({ sent: false, error }, history, middle).state, state);
    }
  }
});

test('a failure is unheard when neither this call nor an earlier one can have been received', () => {
  const refused: SendError = { code: 'bad_content' };
  const away = (mayHaveBeenSent: boolean): SendError => ({ code: 'temporary', mayHaveBeenSent });
  const unheard = (error: SendError, inDoubt = false) => isUnheard({ sent: false, error }, inDoubt);
  assert.deepEqual([unheard(refused), unheard(away(false)), unheard(away(true))], [true, true, false]);
  assert.deepEqual([unheard(refused, true), unheard(away(false), true)], [false, false]);
  assert.equal(isUnheard({ sent: true, providerId: null }, false), false);
});

const low = { id: '1', in_doubt: false };
const high = { id: '2', in_doubt: false };
const doubtful = (one: typeof low) => ({ ...one, in_doubt: true });
const claimOf = (...claimed: (typeof low)[]) => new Map(claimed.map((one) => [one.id, one]));

test('a client who got a mailing in another chat does not get it again', () => {
  for (const state of ['SENT', 'DELIVERED', 'READ']) {
    assert.equal(precedence(low, [{ id: '2', state }], claimOf(low)), 'had');
  }
  for (const state of ['UNDELIVERED', 'ERROR', 'CANCELLED']) {
    assert.equal(precedence(high, [{ id: '1', state }], claimOf(high)), null);
  }
});

test('of two messages of one claim exactly one goes first, and a doubtful one before a certain one', () => {
  for (const [first, second] of [
    [low, high],
    [doubtful(low), doubtful(high)],
    [doubtful(high), low],
    [doubtful(low), high],
  ] as const) {
    const claim = claimOf(first, second);
    assert.equal(precedence(first, [{ id: second.id, state: 'IN_PROCESS' }], claim), null);
    assert.equal(precedence(second, [{ id: first.id, state: 'IN_PROCESS' }], claim), 'open');
  }
});

test('a message waits for one that another worker may have sent', () => {
  assert.equal(precedence(low, [{ id: '2', state: 'IN_PROCESS' }], claimOf(low)), 'open');
  assert.equal(precedence(doubtful(low), [{ id: '2', state: 'IN_PROCESS' }], claimOf(low)), null);
  assert.equal(precedence(high, [{ id: '1', state: 'PENDING' }], claimOf(high)), 'open');
  assert.equal(precedence(low, [{ id: '2', state: 'PENDING' }], claimOf(low)), null);
});
