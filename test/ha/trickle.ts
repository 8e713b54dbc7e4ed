import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../harness.ts';

export type Accepted = { uuid: string; begunAt: number };

export type Trickle = {
  /** Starts no more requests, and returns the accepted ones when all are accepted. */
  stop(): Promise<Accepted[]>;
  /** The duration of each 503 response. */
  refusals: readonly number[];
  /** The duration of each response. */
  answers: readonly number[];
};

const everyMs = 100;
const afterRefusalMs = 50;

/** Regular requests, each repeated until it is accepted. `uuidOf` finds the message in the response. */
export function startTrickle(
  request: (number: number) => Promise<Answer>,
  uuidOf: (body: Answer['body']) => string,
): Trickle {
  const accepted: Accepted[] = [];
  const underWay: Promise<void>[] = [];
  const refusals: number[] = [];
  const answers: number[] = [];

  async function untilAccepted(number: number): Promise<void> {
    for (;;) {
      const begunAt = performance.now();
      const { status, body } = await request(number);
      const tookMs = performance.now() - begunAt;
      answers.push(tookMs);
      if (status < 300) {
        accepted.push({ uuid: uuidOf(body), begunAt });
        return;
      }
      if (status !== 503) throw new Error(`a request was answered with ${status} ${JSON.stringify(body)}`);
      refusals.push(tookMs);
      await pause(afterRefusalMs);
    }
  }
  const timer = setInterval(() => {
    const one = untilAccepted(underWay.length);
    one.catch(() => {});
    underWay.push(one);
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      return accepted;
    },
    refusals,
    answers,
  };
}
