alter table projects add column tracks_links boolean not null default true;

create table mailings (
  project_id uuid not null references projects,
  id uuid not null,
  name text not null,
  content_type text not null check (content_type in ('TEXT', 'NODE', 'TEMPLATE_WHATSAPP', 'MIXED')),
  text text,
  -- The addresses in `text` that are replaced by links of ours, in their order; empty where they are not.
  links text[] not null,
  node_id integer,
  node_name text,
  node_get_params jsonb not null,
  template_whatsapp text,
  -- The template's body when the mailing was made: what a mailing says does not change.
  template_body text,
  template_variables jsonb not null,
  filter_chats jsonb,
  customer_filter_field text check (customer_filter_field in ('UUID', 'EXTERNAL_ID', 'PHONE_NUMBER', 'CHAT_UUID')),
  customer_filter_file text,
  -- The identifiers themselves are in `mailing_identifiers`.
  has_identifiers boolean not null,
  phone_numbers_file text,
  origin text not null check (origin in ('system', 'chat_center')),
  planned_at timestamptz,
  regular_cron text,
  created_at timestamptz not null,
  state text not null check (state in ('planned', 'in_process', 'completed', 'stopped', 'error')),
  state_detail text not null default '',
  -- Counts the runs; 0 before the first.
  run integer not null default 0,
  started_at timestamptz,
  completed_at timestamptz,
  -- What the run is at: fetching its files, writing its messages, waiting for them; after a stop, taking back what was
  -- not sent. Null when nothing runs.
  stage text check (stage in ('files', 'planning', 'sending', 'stopping')),
  -- Where the stage goes on after a crash, in its own words.
  progress jsonb not null default '{}',
  -- When a worker should look next; null when there is nothing to look for. The lease names the worker that may write.
  due_at timestamptz,
  lease uuid,
  primary key (project_id, id)
);
create index mailings_due on mailings (due_at) where due_at is not null;
create trigger mailings_added after insert on mailings referencing new table as changed
  for each statement execute function count_rows();

-- Who a mailing is for, where that was said by a list: in blocks of some thousand lines, because a million rows would
-- cost their keys and indexes. `lines` are the places in the list, from 1 on, as a person counts the lines of the file;
-- `variables` are the other columns of these lines, objects in the same order, or null where there are none.
-- The lines of a file are there while a run is being prepared.
create table mailing_identifiers (
  project_id uuid not null,
  mailing_id uuid not null,
  list text not null check (list in ('array', 'customers', 'phones')),
  last_line integer not null,
  -- Null where every line follows the one before it, up to the last one.
  lines integer[],
  identifiers text[] not null,
  variables jsonb,
  primary key (project_id, mailing_id, list, last_line),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);
-- Compressing them would take longer than all the rest of reading a file.
alter table mailing_identifiers
  alter column lines set storage external,
  alter column identifiers set storage external;

-- Lines that reached nobody, and why. The first thousand of a run; all are counted in the mailing's progress.
create table mailing_problems (
  project_id uuid not null,
  mailing_id uuid not null,
  run integer not null,
  list text not null,
  line integer not null,
  identifier text not null,
  reason text not null,
  primary key (project_id, mailing_id, run, list, line),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);

-- The statistics of a mailing, over all of its runs: changed in the statement that changes a message, so that they
-- add up at any moment. Spread over slots as `row_counts` are, and for the same reason.
create table mailing_counts (
  project_id uuid not null,
  mailing_id uuid not null,
  slot uuid not null,
  planned integer not null default 0,
  -- SENT, DELIVERED or READ; DELIVERED or READ; READ; UNDELIVERED or ERROR; CANCELLED.
  sent integer not null default 0,
  delivered integer not null default 0,
  read integer not null default 0,
  undelivered integer not null default 0,
  cancelled integer not null default 0,
  clicked integer not null default 0,
  jumped_url integer not null default 0,
  replied integer not null default 0,
  primary key (project_id, mailing_id, slot),
  foreign key (project_id, mailing_id) references mailings on delete cascade
) with (fillfactor = 50);

-- How many were planned on each platform.
create table mailing_platforms (
  project_id uuid not null,
  mailing_id uuid not null,
  platform text not null,
  planned integer not null,
  primary key (project_id, mailing_id, platform),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);

-- What a message adds to the statistics by its state alone, in the order of the columns above.
create function mailing_state_counts(state text) returns integer[] language sql immutable strict parallel safe
return array[
  (state in ('SENT', 'DELIVERED', 'READ'))::int, (state in ('DELIVERED', 'READ'))::int, (state = 'READ')::int,
  (state in ('UNDELIVERED', 'ERROR'))::int, (state = 'CANCELLED')::int
];

-- `difference` has the columns of `mailing_counts` from `planned` on.
create function add_to_mailing_counts(project uuid, mailing uuid, difference integer[]) returns void
language plpgsql as $$
begin
  update mailing_counts set
    planned = planned + difference[1], sent = sent + difference[2], delivered = delivered + difference[3],
    read = read + difference[4], undelivered = undelivered + difference[5], cancelled = cancelled + difference[6],
    clicked = clicked + difference[7], jumped_url = jumped_url + difference[8], replied = replied + difference[9]
  where project_id = project and mailing_id = mailing and slot = (
    select slot from mailing_counts where project_id = project and mailing_id = mailing limit 1 for update skip locked
  );
  if not found then
    insert into mailing_counts values (
      project, mailing, gen_random_uuid(), difference[1], difference[2], difference[3], difference[4], difference[5],
      difference[6], difference[7], difference[8], difference[9]
    );
  end if;
end $$;

-- The id of the message that a run has for a profile: always the same one, so that planning a second time adds none.
-- It is a UUIDv7 of the run's beginning, its random part a hash. One expression, which becomes a part of the statement.
create function mailing_message_id(started timestamptz, mailing uuid, run integer, profile uuid) returns uuid
language sql stable parallel safe
return overlay(
  overlay(
    md5(mailing::text || run::text || profile::text)
    placing lpad(to_hex((extract(epoch from started) * 1000)::bigint), 12, '0') || '7' from 1
  )
  placing '8' from 17
)::uuid;
