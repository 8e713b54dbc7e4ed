-- A client gets at most so many mailings in so many days. Null without a cap.
alter table projects
  add column cap_messages smallint check (cap_messages between 1 and 100),
  add column cap_days smallint check (cap_days between 1 and 90),
  add constraint projects_cap check ((cap_messages is null) = (cap_days is null));

-- What an administrator allowed to a mailing against the project's rules.
alter table mailings
  add column ignores_quiet_hours boolean not null default false,
  add column ignores_cap boolean not null default false;

-- Who allowed it, and why. Nothing is changed or deleted here.
create table mailing_overrides (
  project_id uuid not null,
  mailing_id uuid not null,
  id uuid not null,
  quiet_hours boolean not null,
  cap boolean not null,
  reason text not null check (reason <> ''),
  author_id uuid not null,
  author_name text,
  created_at timestamptz not null,
  primary key (project_id, mailing_id, id),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);
