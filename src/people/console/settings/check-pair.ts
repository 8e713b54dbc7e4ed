import { invalid, messages } from '../../../platform/problem.ts';

/** A field and its value. Undefined if it is absent. */
type Half = readonly [field: string, value: unknown];

/** Throws `Invalid` for one half of a setting: both are given, cleared or absent. */
export function checkPair([first, one]: Half, [second, other]: Half): void {
  if (kindOf(one) === kindOf(other)) return;
  const isFirstMissing = one === undefined || (one === null && other !== undefined);
  throw invalid(isFirstMissing ? first : second, messages.required);
}

function kindOf(value: unknown): 'given' | 'cleared' | 'absent' {
  if (value === undefined) return 'absent';
  return value === null ? 'cleared' : 'given';
}
