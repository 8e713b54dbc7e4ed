-- For how many days after a mailing's message what a client does counts for that mailing.
alter table projects
  add column conversion_days smallint not null default 7 check (conversion_days between 1 and 90);

-- What clients did elsewhere, as the partner reports it: an order, a visit. The key is the partner's.
create table conversions (
  project_id uuid not null references projects,
  id uuid not null,
  key text not null,
  -- The client as they were known then. A merge may have deleted this profile since.
  profile_id uuid not null,
  -- The mailing that the client got last before, and its message. Null without one in time.
  mailing_id uuid,
  message_id uuid,
  name text,
  happened_at timestamptz not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, key),
  check ((mailing_id is null) = (message_id is null)),
  foreign key (project_id, mailing_id) references mailings
);
create index conversions_of_mailing on conversions (project_id, mailing_id, message_id) where mailing_id is not null;
