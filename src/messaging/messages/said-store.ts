import type { Fragment, Sql } from '../../platform/database/database.ts';

/**
 * For a lateral join: what a variant of a row of `mailings` says, in the columns of `mailings`. A null variant, as the
 * first, is the mailing's own content.
 */
export const saidBy = (sql: Sql, variant: Fragment): Fragment => sql`(
  select mailings.text, mailings.links, mailings.node_id, mailings.node_name, mailings.node_get_params,
    mailings.template_whatsapp, mailings.template_body, mailings.template_variables
  where coalesce(${variant}, 1) = 1
  union all
  select other.*
  from jsonb_to_record(mailings.ab_test -> 'variants' -> (${variant} - 2)) as other (
    text text, links text[], node_id integer, node_name text, node_get_params jsonb, template_whatsapp text,
    template_body text, template_variables jsonb
  )
  where ${variant} > 1
)`;
