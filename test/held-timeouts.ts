import type { TestContext } from 'node:test';

export type HeldTimeouts = {
  /** Milliseconds of each `AbortSignal.timeout` so far, in order. */
  asked: number[];
  /** Ends every one of them now. */
  end(): void;
};

/** Lets `AbortSignal.timeout` wait for the test and not for the time, until the test ends. */
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
