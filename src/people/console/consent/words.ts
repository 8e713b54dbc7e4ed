import { invalid } from '../../../platform/problem.ts';
import { asKeyword } from '../../../scenarios/keywords.ts';

/** Words in the form in which messages are compared, each once. Throws `Invalid` for an empty one. */
export function wordsOf(words: readonly string[], field: string): string[] {
  const folded = words.map(asKeyword);
  if (folded.includes('')) throw invalid(field, 'A word has at least one letter.');
  return [...new Set(folded)];
}

/** Throws `Invalid` for a word that already means something else. */
export function checkMeaning(words: readonly string[], field: string, taken: readonly string[]): void {
  const word = words.find((one) => taken.includes(one));
  if (word !== undefined) throw invalid(field, `"${word}" already means something else.`);
}
