import {
  type Condition,
  type Filter,
  isPlainNumber,
  type OrderLookup,
  plainNumber,
  type Subject,
  type Test,
} from '../clients/filters/filter.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';

/**
 * The filter as a condition on a row of `chats` and its row of `profiles`. Null counts as false. It agrees with
 * `matches`, which a property test checks. `lower` leaves case to the database. The two agree if its locale knows
 * Unicode and is not Turkish.
 */
export function conditionSql(sql: Sql, filter: Filter): Fragment {
  if ('all' in filter) return joined(sql, sql`true`, sql`and`, filter.all);
  if ('any' in filter) return joined(sql, sql`false`, sql`or`, filter.any);
  return holds(sql, filter);
}

/** A flat list: PostgreSQL and the driver would have to recurse into a nested one. */
function joined(sql: Sql, none: Fragment, word: Fragment, parts: readonly Filter[]): Fragment {
  if (parts.length === 0) return none;
  return sql`(${parts.map((part, index) =>
    index === 0 ? conditionSql(sql, part) : sql`${word} ${conditionSql(sql, part)}`,
  )})`;
}

function holds(sql: Sql, { subject, test }: Condition): Fragment {
  switch (subject.kind) {
    case 'tags':
      return tagHolds(sql, test);
    case 'moment':
      return momentHolds(sql, column(sql, subject), test);
    case 'value':
      return valueHolds(sql, subject, test);
    case 'text':
      if (subject.field === 'uuid') return uuidHolds(sql, test);
      return textHolds(sql, column(sql, subject), test);
  }
}

function column(sql: Sql, { record, field }: Extract<Subject, { kind: 'text' | 'moment' }>): Fragment {
  return record === 'chat' ? sql`chats.${sql(field)}` : sql`profiles.${sql(field)}`;
}

/** `profile_tags` is the index of the tags. */
function tagHolds(sql: Sql, test: Test): Fragment {
  switch (test.lookup) {
    case 'isnull':
      return test.value ? sql`profiles.tags = '{}'` : sql`profiles.tags <> '{}'`;
    case 'in':
      return sql`exists (
        select 1 from profile_tags
        where profile_tags.project_id = profiles.project_id and profile_tags.profile_id = profiles.id
          and profile_tags.tag = any (${[...test.values]}::text[])
      )`;
    default:
      return sql`exists (
        select 1 from unnest(profiles.tags) as tags (tag) where ${textHolds(sql, sql`tags.tag`, test)}
      )`;
  }
}

/** Compared as the database compares moments, which an index supports. Text lookups use ISO 8601. */
function momentHolds(sql: Sql, moment: Fragment, test: Test): Fragment {
  switch (test.lookup) {
    case 'in':
      return sql`${moment} = any (${[...test.values]}::timestamptz[])`;
    case 'range':
      return sql`${moment} between ${test.from}::timestamptz and ${test.to}::timestamptz`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return sql`${moment} ${operator(sql, test.lookup)} ${test.value}::timestamptz`;
    default:
      return textHolds(sql, sql`iso(${moment})`, test);
  }
}

function uuidHolds(sql: Sql, test: Test): Fragment {
  switch (test.lookup) {
    case 'in':
      return sql`chats.id = any (${[...test.values]}::uuid[])`;
    default:
      return textHolds(sql, sql`chats.id::text`, test);
  }
}

/** Lists and objects have no text. JSON's null counts as absent. */
function valueHolds(sql: Sql, { record, name }: Extract<Subject, { kind: 'value' }>, test: Test): Fragment {
  const values = record === 'variables' ? sql`chats.variables` : sql`profiles.attrs`;
  const text = sql`(${values} ->> ${name}::text)`;
  if (test.lookup === 'isnull') return textHolds(sql, text, test);
  return sql`(jsonb_typeof(${values} -> ${name}::text) not in ('array', 'object') and ${textHolds(sql, text, test)})`;
}

function textHolds(sql: Sql, text: Fragment, test: Test): Fragment {
  switch (test.lookup) {
    case 'isnull':
      return test.value ? sql`${text} is null` : sql`${text} is not null`;
    case 'in':
      return sql`${text} = any (${[...test.values]}::text[])`;
    case 'iexact':
      return sql`lower(${text}) = lower(${test.value}::text)`;
    case 'contains':
      return sql`strpos(${text}, ${test.value}::text) > 0`;
    case 'icontains':
      return sql`strpos(lower(${text}), lower(${test.value}::text)) > 0`;
    case 'startswith':
      return sql`starts_with(${text}, ${test.value}::text)`;
    case 'endswith':
      return sql`right(${text}, char_length(${test.value}::text)) = ${test.value}::text`;
    case 'range':
      return sql`(${inOrder(sql, text, 'gte', test.from)} and ${inOrder(sql, text, 'lte', test.to)})`;
    default:
      return inOrder(sql, text, test.lookup, test.value);
  }
}

/** The CASE ensures that only numeric text is cast. */
function inOrder(sql: Sql, text: Fragment, lookup: OrderLookup, value: string): Fragment {
  const compared = operator(sql, lookup);
  const byCodePoints = sql`${text} collate "C" ${compared} ${value}::text`;
  if (!isPlainNumber(value)) return byCodePoints;
  return sql`case when ${text} ~ ${plainNumber}::text then ${text}::float8 ${compared} ${value}::float8
    else ${byCodePoints} end`;
}

function operator(sql: Sql, lookup: OrderLookup): Fragment {
  switch (lookup) {
    case 'gt':
      return sql`>`;
    case 'gte':
      return sql`>=`;
    case 'lt':
      return sql`<`;
    case 'lte':
      return sql`<=`;
  }
}
