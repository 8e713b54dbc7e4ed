import assert from 'node:assert/strict';

/**
 * Resolves like the work, and fails when a timer of so many milliseconds fires before. A pause of the machine delays the
 * timeouts of the work by the same time, and they still fire first.
 */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new assert.AssertionError({ message: `not done within ${ms} ms` })),
    ms,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
