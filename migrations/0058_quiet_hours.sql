-- The hours in which no mailing reaches a client, by the clock where the client is. Null without quiet hours.
alter table projects
  add column quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  add column quiet_until text check (quiet_until ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- The zone of clients whose own is unknown.
  add column timezone text not null default 'UTC',
  add constraint projects_quiet check ((quiet_from is null) = (quiet_until is null) and quiet_from <> quiet_until);

-- How many messages of a mailing wait until the end of quiet hours. A row counts no more once its moment is over.
create table mailing_waits (
  project_id uuid not null,
  mailing_id uuid not null,
  until timestamptz not null,
  messages integer not null,
  primary key (project_id, mailing_id, until),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);
