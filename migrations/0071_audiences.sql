-- Filters with a name, which mailings name.
create table audiences (
  project_id uuid not null references projects,
  id uuid not null,
  name text not null check (name <> ''),
  -- As a mailing's `filter_chats`.
  filter jsonb not null,
  author_id uuid not null,
  author_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint audiences_name unique (project_id, name)
);

-- The audience that `filter_chats` was read from: at the start of the last run, or before the first, when the mailing
-- was made. An older version runs the mailing with the filter as it was read.
alter table mailings
  add column audience_id uuid,
  add constraint mailings_audience foreign key (project_id, audience_id) references audiences
    on delete set null (audience_id);

create index mailings_audience on mailings (project_id, audience_id) where audience_id is not null;
