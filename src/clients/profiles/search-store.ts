import { smallAscii } from '../../platform/ascii.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import { normalizePhoneIn } from '../../platform/phone.ts';

/** The limit on profiles per searched field: people read no further, and counting is costly. */
export const searchReach = 1_000;

export type Search = {
  text: string;
  /** The country whose national phone numbers are accepted. Null for none. */
  country: string | null;
};

/**
 * The ids of the profiles that match a search. Its text must be a prefix of the name or of the name after its first
 * word. It may also be a prefix of the phone number or the email, or equal the external id. An index serves each
 * lookup. Case is ignored, in an address for ASCII letters only.
 */
export function knownBy(
  sql: Sql,
  projectId: string,
  { text, tag, country }: Search & { tag?: string | undefined },
): Fragment {
  const word = sql`lower(left(${text}::text, 64))`;
  const phone = phoneIn(country, text);
  const found = (condition: Fragment): Fragment => sql`
    (select id, tags from profiles where project_id = ${projectId} and ${condition} limit ${searchReach})`;
  const all = [
    found(sql`name is not null and ${begins(sql, sql`lower(left(name, 64))`, word)}`),
    found(sql`strpos(name, ' ') > 0
      and ${begins(sql, sql`lower(left(substr(name, strpos(name, ' ') + 1), 64))`, word)}`),
    found(
      sql`email is not null and ${begins(sql, sql`lower(email collate "C")`, sql`${smallAscii(text)}::text`)}`,
    ),
    found(sql`external_id = ${text}`),
    ...(phone
      ? [found(sql`phone_number is not null and ${begins(sql, sql`phone_number`, sql`${phone}::text`)}`)]
      : []),
  ].reduce((before, one) => sql`${before} union all ${one}`);
  return sql`
    select id from (
      select distinct id from (${all}) as known ${tag === undefined ? sql`` : sql`where tags @> array[${tag}]`}
    ) as distinct_ids`;
}

/**
 * Compares by code points, as the indexes do: a LIKE pattern in a parameter would not use them. The order is the
 * index's, so that it is used even where most rows match.
 */
const begins = (sql: Sql, value: Fragment, beginning: Fragment): Fragment => sql`
  ${value} ~>=~ ${beginning} and ${value} ~<~ (${beginning} || ${'\u{10ffff}'}::text)
  order by ${value} using ~<~`;

/** A number, or a possible prefix of one, in its stored form. Null for any other text. */
function phoneIn(country: string | null, text: string): string | null {
  if (!/^[+\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  return digits.length < 3 ? null : (normalizePhoneIn(country, text) ?? `+${digits}`);
}
