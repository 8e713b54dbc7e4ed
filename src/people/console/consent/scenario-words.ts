import { readProject } from '../../../access/projects/store.ts';
import { listTopics } from '../../../clients/consent/topics-store.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { overlap, piecesOf } from '../../../scenarios/keywords.ts';
import { listStarters, type Trigger } from '../../../scenarios/starters-store.ts';

/** The words by which clients of a project leave mailings or topics, and come back. */
export async function consentWords(sql: Sql, projectId: string): Promise<string[]> {
  const [{ leave_words, return_words }, topics] = await Promise.all([
    readProject(sql, projectId),
    listTopics(sql, projectId),
  ]);
  return [...new Set([...leave_words, ...return_words, ...topics.flatMap(({ words }) => words)])];
}

/** The words of consent among the messages that a trigger waits for. Who leaves or comes back by one starts nothing. */
export const takenBy = (
  { kind, subject }: Pick<Trigger, 'kind' | 'subject'>,
  words: readonly string[],
): string[] => (kind === 'message' ? words.filter((word) => overlap(piecesOf(subject), piecesOf(word))) : []);

/** Each word of consent that is also a keyword in this project, with the scenario's name. */
export async function takenWords(sql: Sql, projectId: string): Promise<{ word: string; scenario: string }[]> {
  const words = await consentWords(sql, projectId);
  const starters = await listStarters(sql, projectId);
  return starters
    .filter(({ is_enabled }) => is_enabled)
    .flatMap((starter) => takenBy(starter, words).map((word) => ({ word, scenario: starter.scenario })));
}
