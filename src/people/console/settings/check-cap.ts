import { invalid, messages } from '../../../platform/problem.ts';

/** Throws `Invalid` for one half of a cap. */
export function checkCap({
  cap_messages,
  cap_days,
}: {
  cap_messages?: number | null;
  cap_days?: number | null;
}): void {
  if (!cap_messages && cap_days) throw invalid('cap_messages', messages.required);
  if (cap_messages && !cap_days) throw invalid('cap_days', messages.required);
}
