import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 20;

/** Resolves when the condition holds. Looks again and again, as nothing tells of what happens in another process. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await pause(lookEveryMs);
}
