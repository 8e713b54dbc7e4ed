import type { Fragment, Sql } from '../../platform/database/database.ts';
import { leftTopic, suppressed, unsubscribed } from './reasons.ts';

/** A row of `profiles`, by its key. */
export type ClientKey = { projectId: Fragment; profileId: Fragment };

/**
 * Whether a chat of this client has left. A scalar query looks for each client: for an `exists` the planner would read all
 * who left, again for each page, while the table's statistics do not know them.
 */
const hasChat = (sql: Sql, { projectId, profileId }: ClientKey, that: Fragment): Fragment => sql`(
  (
    select true from chats as leaving
    where leaving.project_id = ${projectId} and leaving.profile_id = ${profileId} and ${that}
    limit 1
  ) is true
)`;

/** Whether this client has unsubscribed from everything, in any chat. */
const hasUnsubscribed = (sql: Sql, client: ClientKey): Fragment =>
  hasChat(sql, client, sql`leaving.unsubscribed_at is not null`);

/** Whether this client has left the topic, in any chat. */
const hasLeft = (sql: Sql, client: ClientKey, topicId: Fragment): Fragment =>
  hasChat(sql, client, sql`leaving.left_topics ? (${topicId})::text`);

/** Whether any address of this client is on the project's list. */
const isListed = (sql: Sql, { projectId, profileId }: ClientKey): Fragment => sql`(
  (
    select true from profiles as listed
    cross join lateral (
      select '' as platform, listed.phone_number as address
      union all select '', lower(listed.email collate "C")
      union all select own.platform, own.address
      from chats as theirs
      cross join lateral (values (theirs.platform, theirs.external_id), ('', theirs.phone)) as own (platform, address)
      where theirs.project_id = listed.project_id and theirs.profile_id = listed.id
    ) as known
    cross join lateral (
      select from suppressions
      where suppressions.project_id = listed.project_id and address = known.address collate "C"
        and suppressions.platform in ('', known.platform)
      limit 1
    ) as found
    where listed.project_id = ${projectId} and listed.id = ${profileId}
    limit 1
  ) is true
)`;

/** Whether the project has a list. It saves each client of other projects the search. */
export const hasList = (sql: Sql, projectId: Fragment): Fragment =>
  sql`(select exists (select from suppressions where project_id = ${projectId}))`;

type Rule = {
  /** The mailing's topic. Null for a mailing without one. */
  topicId: Fragment | null;
  /** Of `hasList`, once for each project. */
  hasList: Fragment;
};

/** Whether a mailing may reach this client. A condition for a statement over many clients. */
export const mayReach = (sql: Sql, client: ClientKey, { topicId, hasList }: Rule): Fragment => sql`
  not ${hasUnsubscribed(sql, client)}
  ${topicId ? sql`and not ${hasLeft(sql, client, topicId)}` : sql``}
  and case when ${hasList} then not ${isListed(sql, client)} else true end`;

/** Why a mailing does not reach this client. Null if it may. */
export const whyNot = (sql: Sql, client: ClientKey, { topicId, hasList }: Rule): Fragment => sql`
  case
    when ${hasUnsubscribed(sql, client)} then ${unsubscribed}::text
    ${topicId ? sql`when ${hasLeft(sql, client, topicId)} then ${leftTopic}::text` : sql``}
    when case when ${hasList} then ${isListed(sql, client)} end then ${suppressed}::text
  end`;
