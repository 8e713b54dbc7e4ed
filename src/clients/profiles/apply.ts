import type { JSONValue, Sql } from '../../platform/database/database.ts';
import { mostKept } from '../../platform/http/fields.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import type { Entry } from './audit.ts';
import { changeProfile } from './change-store.ts';
import { afterChanges } from './waiting.ts';

type Given = { tags?: readonly string[]; attrs?: { readonly [name: string]: JSONValue | undefined } };

/**
 * Adds tags and sets attributes of a profile. Tags and attributes that the project has not defined are skipped. A
 * null clears the attribute. Returns whether the profile is there: a merge deletes one. Throws `Invalid` on `profile`
 * if it would have too many of them. Source: docs/contract.md, section 3.
 */
export async function applyTagsAndAttrs(
  sql: Sql,
  projectId: string,
  profileId: string,
  { tags = [], attrs = {} }: Given,
  entry: Entry,
): Promise<boolean> {
  if (tags.length === 0 && Object.keys(attrs).length === 0) return true;
  const change = { tags: { add: tags }, attrs };
  const { isThere, tooLarge } = await afterChanges(projectId, profileId, () =>
    changeProfile(sql, projectId, profileId, change, entry),
  );
  if (tooLarge !== null) throw new Invalid({ profile: { [tooLarge]: [messages.maxLength(mostKept)] } });
  return isThere;
}
