import type { Fragment, JSONValue, Sql } from '../platform/database/database.ts';
import { idsOfPage } from '../platform/database/page.ts';
import type { Slice } from '../platform/outbound/nearer-end.ts';
import { restOf } from './ab-test/rest-store.ts';
import type { AbTest } from './ab-test/schema.ts';
import { type ApprovalEntry, accountOf, askedApproval } from './approval-store.ts';
import { askedApprovers } from './approvers-store.ts';
import { type ArrivingList, arrivedList, givenCtes } from './arriving-store.ts';
import type { MailingRow, NodeParam } from './present.ts';
import type { ContentType, FilterField, TemplateVariables } from './schema.ts';

/** The statistics are added up only for the selected mailings, whether a page or one. */
const columns = (sql: Sql) => sql`
  id, name, state, state_detail, filter_chats, content_type, text, node_id, node_name, node_get_params, origin,
  regular_cron, created_at, planned_at, due_at, finish_by, started_at, completed_at, template_whatsapp,
  template_variables, phone_numbers_file, customer_filter_file, customer_filter_field, topic_id, ab_test, ${restOf(sql)} as rests,
  (select name from topics where topics.project_id = mailings.project_id and topics.id = topic_id) as topic,
  (
    select name from audiences where audiences.project_id = mailings.project_id and audiences.id = audience_id
  ) as audience,
  (
    select jsonb_build_object(
      'count_planned', coalesce(sum(planned), 0), 'count_sent', coalesce(sum(sent), 0),
      'count_delivered', coalesce(sum(delivered), 0), 'count_undelivered', coalesce(sum(undelivered), 0),
      'count_read', coalesce(sum(read), 0), 'count_clicked', coalesce(sum(clicked), 0),
      'count_jumped_url', coalesce(sum(jumped_url), 0), 'count_replied', coalesce(sum(replied), 0),
      'count_converted', (
        select count(distinct message_id) from conversions
        where conversions.project_id = mailings.project_id and conversions.mailing_id = mailings.id
      ),
      'count_platforms', (
        select coalesce(jsonb_object_agg(platform, planned), '{}') from mailing_platforms
        where project_id = mailings.project_id and mailing_id = mailings.id
      )
    )
    from mailing_counts where project_id = mailings.project_id and mailing_id = mailings.id
  ) as statistics`;

export async function findMailing(sql: Sql, projectId: string, id: string): Promise<MailingRow | undefined> {
  const [row] = await sql<MailingRow[]>`
    select ${columns(sql)} from mailings where project_id = ${projectId} and id = ${id}`;
  return row;
}

/** Newest first. `count` is the number of mailings. */
export function mailingsPage(sql: Sql, projectId: string, count: number, page: Slice): Promise<MailingRow[]> {
  const rows = sql`select id from mailings where project_id = ${projectId}`;
  return sql<MailingRow[]>`
    select ${columns(sql)} from mailings
    where project_id = ${projectId} and id = any (${idsOfPage(sql, rows, count, page)})
    order by id desc`;
}

/**
 * The characters of the filters that may stand on one page with a mailing of this id: a hundred before it, and a hundred
 * behind it.
 */
export async function filtersAround(sql: Sql, projectId: string, id: string): Promise<number> {
  const [row] = await sql<[{ characters: number }]>`${sizesAround(sql, projectId, id)}`;
  return row.characters;
}

export function sizesAround(sql: Sql, projectId: string, id: string): Fragment {
  const others = sql`select filter_characters from mailings where project_id = ${projectId}`;
  return sql`
    select coalesce(sum(filter_characters), 0)::bigint as characters from (
      (${others} and id < ${id} order by id desc limit ${mostOnPage})
      union all
      (${others} and id > ${id} order by id limit ${mostOnPage})
    ) as around`;
}

const mostOnPage = 100;

/** Whether links in the project's mailings are tracked. */
export async function findTracksLinks(sql: Sql, projectId: string): Promise<boolean> {
  const [row] = await sql<[{ tracks_links: boolean }]>`
    select tracks_links from projects where id = ${projectId}`;
  return row.tracks_links;
}

/** The names are the columns'. */
export type NewMailing = {
  project_id: string;
  id: string;
  name: string;
  content_type: ContentType;
  text: string | null;
  links: string[];
  node_id: number | null;
  node_name: string | null;
  node_get_params: NodeParam[];
  template_whatsapp: string | null;
  template_body: string | null;
  template_variables: TemplateVariables;
  ab_test: AbTest | null;
  filter_chats: { readonly [name: string]: JSONValue } | null;
  /** The saved audience that `filter_chats` was read from. */
  audience_id: string | null;
  customer_filter_field: FilterField | null;
  customer_filter_file: string | null;
  has_identifiers: boolean;
  phone_numbers_file: string | null;
  topic_id: string | null;
  origin: string;
  planned_at: Date | null;
  regular_cron: string | null;
  created_at: Date;
  due_at: Date | null;
  /** The moment by which the mailing is done. Null without one. */
  finish_by: Date | null;
  /** Who asks for another person's approval. Null where none is needed. */
  asks: ApprovalEntry | null;
  /** The versions of scenarios that were tested, by their ids. Null to send those that are published then. */
  tested_versions: { readonly [scenarioId: string]: number } | null;
};

/**
 * Stores a mailing and gives it its list, in place of the draft with its id, or of a mailing that waits for approval or
 * has just got one. A planner that has just taken that one lets it go. Stores nothing and returns false if the id belongs
 * to anything else, or if the list was forgotten.
 */
export async function saveMailing(
  sql: Sql,
  mailing: NewMailing,
  list: ArrivingList | null,
): Promise<boolean> {
  const [row] = await sql<[{ saved: boolean }]>`
    with ${list ? sql`list as (${arrivedList(sql, list)}),` : sql``}
    mailing as (
      insert into mailings (
        project_id, id, name, content_type, text, links, node_id, node_name, node_get_params, template_whatsapp,
        template_body, template_variables, filter_chats, audience_id, customer_filter_field, customer_filter_file,
        has_identifiers, phone_numbers_file, topic_id, origin, planned_at, regular_cron, created_at, state, due_at,
        approval, author_id, author_user_id, ab_test, finish_by, approved_versions
      )
      select
        ${mailing.project_id}, ${mailing.id}, ${mailing.name}, ${mailing.content_type}, ${mailing.text},
        ${mailing.links}, ${mailing.node_id}, ${mailing.node_name}, ${sql.json(mailing.node_get_params)},
        ${mailing.template_whatsapp}, ${mailing.template_body}, ${sql.json(mailing.template_variables)},
        ${mailing.filter_chats && sql.json(mailing.filter_chats)}, ${mailing.audience_id}, ${mailing.customer_filter_field},
        ${mailing.customer_filter_file}, ${mailing.has_identifiers}, ${mailing.phone_numbers_file}, ${mailing.topic_id},
        ${mailing.origin},
        ${mailing.planned_at}, ${mailing.regular_cron}, ${mailing.created_at}, 'planned', ${mailing.asks ? null : mailing.due_at},
        ${mailing.asks && 'awaited'}, ${mailing.asks?.author_id ?? null},
        ${accountOf(sql, mailing.project_id, mailing.asks?.author_id ?? null)}, ${mailing.ab_test && sql.json(mailing.ab_test)},
        ${mailing.finish_by}, ${mailing.tested_versions && sql.json(mailing.tested_versions)}
      ${list ? sql`from list` : sql``}
      on conflict (project_id, id) do update set
        name = excluded.name, content_type = excluded.content_type, text = excluded.text, links = excluded.links,
        node_id = excluded.node_id, node_name = excluded.node_name, node_get_params = excluded.node_get_params,
        template_whatsapp = excluded.template_whatsapp, template_body = excluded.template_body,
        template_variables = excluded.template_variables, filter_chats = excluded.filter_chats,
        audience_id = excluded.audience_id,
        customer_filter_field = excluded.customer_filter_field, customer_filter_file = excluded.customer_filter_file,
        has_identifiers = excluded.has_identifiers, phone_numbers_file = excluded.phone_numbers_file, topic_id = excluded.topic_id,
        origin = excluded.origin, planned_at = excluded.planned_at, regular_cron = excluded.regular_cron,
        due_at = excluded.due_at, approval = excluded.approval, author_id = excluded.author_id,
        author_user_id = excluded.author_user_id, ab_test = excluded.ab_test,
        finish_by = excluded.finish_by, approved_versions = excluded.approved_versions,
        revision = mailings.revision + 1, lease = null
      where mailings.state = 'planned' and mailings.run = 0 and not mailings.has_identifiers and (
        mailings.approval is not null
        -- A draft: it has no audience, and is not due.
        or mailings.due_at is null and mailings.filter_chats is null
          and mailings.customer_filter_file is null and mailings.phone_numbers_file is null
      )
      returning project_id, id, revision
    )
    ${
      mailing.asks
        ? sql`,
      asked as (${askedApproval(sql, sql`mailing`, mailing.asks, mailing.created_at)}),
      approvers as (${askedApprovers(sql, sql`mailing`, mailing.asks.author_id, mailing.created_at)})`
        : sql``
    }
    ${list ? sql`, ${givenCtes(sql, list, sql`mailing`)}` : sql``}
    select exists (select from mailing) as saved`;
  return row.saved;
}

/**
 * Ends a mailing that runs or waits, and takes it from its planner. False when it had already ended. Claims of its
 * messages wait for the same lock: running claims are waited for, and later ones find it stopped. The planner takes
 * queued messages back, in the stage `stopping`.
 */
export async function stopMailing(sql: Sql, projectId: string, id: string, now: Date): Promise<boolean> {
  const stopped = await sql`
    with held as (
      select project_id, id, state from mailings
      where project_id = ${projectId} and id = ${id} and state in ('planned', 'in_process')
      for update
    )
    update mailings set
      state = 'stopped',
      lease = null,
      progress = mailings.progress - 'cursor',
      stage = case held.state when 'in_process' then 'stopping' end,
      due_at = case held.state when 'in_process' then ${now}::timestamptz end,
      completed_at = case held.state when 'in_process' then ${now}::timestamptz else mailings.completed_at end
    from held
    where mailings.project_id = held.project_id and mailings.id = held.id
    returning mailings.id`;
  return stopped.length === 1;
}
