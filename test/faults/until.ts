import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 20;

/** Resolves when the condition holds. Polls it, because another process sends no notification. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await pause(lookEveryMs);
}
