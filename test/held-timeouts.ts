import type { TestContext } from 'node:test';

export type HeldTimeouts = {
  /** The milliseconds of each `AbortSignal.timeout` so far, in order. */
  asked: number[];
  /** Ends all of them now. */
  end(): void;
};

/** Makes `AbortSignal.timeout` wait for the test instead of the time, until the test ends. */
export function heldTimeouts(t: TestContext): HeldTimeouts {
  const asked: number[] = [];
  const held: AbortController[] = [];
  t.mock.method(AbortSignal, 'timeout', (ms: number): AbortSignal => {
    const controller = new AbortController();
    asked.push(ms);
    held.push(controller);
    return controller.signal;
  });
  return {
    asked,
    end: () => {
      for (const controller of held.splice(0)) controller.abort(new DOMException('timeout', 'TimeoutError'));
    },
  };
}
