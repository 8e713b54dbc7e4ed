-- The other contents of a mailing, their shares, and the sample: `src/mailings/ab-test/schema.ts`. Null without a test.
-- The mailing's own content is variant 1.
alter table mailings add column ab_test jsonb;

-- Which variant a message says. Null outside of tests.
alter table messages add column variant smallint;
alter table conversions add column variant smallint;

-- Each slot counts the messages of one variant, so that variants add up to their mailing.
alter table mailing_counts add column variant smallint;

create function add_to_mailing_counts(project uuid, mailing uuid, of_variant smallint, difference integer[]) returns void
language plpgsql as $$
begin
  update mailing_counts set
    planned = planned + difference[1], sent = sent + difference[2], delivered = delivered + difference[3],
    read = read + difference[4], undelivered = undelivered + difference[5], cancelled = cancelled + difference[6],
    clicked = clicked + difference[7], jumped_url = jumped_url + difference[8], replied = replied + difference[9]
  where project_id = project and mailing_id = mailing and slot = (
    select slot from mailing_counts
    where project_id = project and mailing_id = mailing and variant is not distinct from of_variant
    limit 1 for update skip locked
  );
  if not found then
    insert into mailing_counts values (
      project, mailing, gen_random_uuid(), difference[1], difference[2], difference[3], difference[4], difference[5],
      difference[6], difference[7], difference[8], difference[9], of_variant
    );
  end if;
end $$;

-- An older version knows no variants. A recount gives them what it counted.
create or replace function add_to_mailing_counts(project uuid, mailing uuid, difference integer[]) returns void
language plpgsql as $$
begin
  perform add_to_mailing_counts(project, mailing, null::smallint, difference);
end $$;

-- What a test has shown at its moment. Written once. `variant` is what the rest gets, and null while a person is asked.
create table mailing_decisions (
  project_id uuid not null,
  mailing_id uuid not null,
  decided_at timestamptz not null,
  -- By variant: how many had got the message, and how many of them had reacted.
  counts jsonb not null,
  -- The places of those that are not shown to be worse than the best one. One of them is a winner.
  leaders smallint[] not null,
  variant smallint,
  author_id uuid,
  author_name text,
  chosen_at timestamptz,
  primary key (project_id, mailing_id),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);
