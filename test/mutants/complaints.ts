import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Area, Mutation } from './mutation.ts';

const root = join(import.meta.dirname, '..', '..');

/** The mutations that do not fit the program, with the reason. */
export const complaintsAbout = (areas: readonly Area[]): string[] =>
  areas.flatMap(({ name, mutations }) => mutations.flatMap((one) => complaintOf(name, one)));

/** Why a mutation cannot be tried: the program has gone on without it. */
function complaintOf(area: string, { name, file, find, replace, tests }: Mutation): string[] {
  const missing = [file, ...tests].find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) return [`${area}: ${name}: there is no ${missing}`];
  const text = readFileSync(join(root, file), 'utf8');
  const times = text.split(find).length - 1;
  if (times !== 1) return [`${area}: ${name}: its text stands in ${file} ${times} times`];
  // A migration that is none fails each of its tests.
  if (file.endsWith('.sql')) return [];
  try {
    stripTypeScriptTypes(text.replace(find, () => replace));
    return [];
  } catch {
    return [`${area}: ${name}: the mutation is no program`];
  }
}
