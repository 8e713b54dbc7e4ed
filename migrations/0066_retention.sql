-- How many months a project's rows are kept after the end of their own month. Null for ever.
create table retention (
  project_id uuid primary key references projects,
  messages smallint check (messages between 3 and 120),
  files smallint check (files between 3 and 120),
  events smallint check (events between 1 and 120),
  attempts smallint check (attempts between 1 and 120),
  audit smallint check (audit between 1 and 120),
  -- Nothing of the project is removed while this is set.
  legal_hold boolean not null default false,
  -- Whether rows are written to an archive before they are removed.
  archives boolean not null default true
);

-- Who changed them, and from what to what. Nothing is changed or deleted here.
create table retention_changes (
  project_id uuid not null references projects,
  id uuid not null,
  author_id uuid not null,
  author_name text,
  was jsonb,
  becomes jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);

-- The archives whose bytes are stored and verified. `removed_at` is set when all their rows are gone.
create table archives (
  project_id uuid not null references projects,
  table_name text not null,
  month text not null,
  part integer not null,
  row_count bigint not null,
  bytes bigint not null,
  sha256 text not null,
  made_at timestamptz not null,
  removed_at timestamptz,
  primary key (project_id, table_name, month, part)
);

-- What a mailing's removed messages add to its statistics. A recount would otherwise take it away.
create table mailing_removed (
  project_id uuid not null,
  mailing_id uuid not null,
  -- Empty for messages without a channel and without a chat.
  platform text not null,
  planned integer not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  undelivered integer not null,
  cancelled integer not null,
  clicked integer not null,
  jumped_url integer not null,
  replied integer not null,
  primary key (project_id, mailing_id, platform),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);

-- Whether the file belongs to one message and goes with it. Null for files from before this column.
alter table attachments add column of_message boolean;
