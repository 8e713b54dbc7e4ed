-- The runs of a mailing, and what it had counted when each began: a run's own figures are the difference to the next.
create table mailing_runs (
  project_id uuid not null,
  mailing_id uuid not null,
  run integer not null,
  started_at timestamptz not null,
  planned integer not null,
  sent integer not null,
  undelivered integer not null,
  cancelled integer not null,
  primary key (project_id, mailing_id, run),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);
insert into mailing_runs (project_id, mailing_id, run, started_at, planned, sent, undelivered, cancelled)
select project_id, id, run, started_at,
  coalesce((progress -> 'before' ->> 'planned')::integer, 0), coalesce((progress -> 'before' ->> 'sent')::integer, 0),
  coalesce((progress -> 'before' ->> 'undelivered')::integer, 0),
  coalesce((progress -> 'before' ->> 'cancelled')::integer, 0)
from mailings where run > 0 and started_at is not null;

-- Whom a mailing has not reached: few of very many.
create index messages_of_mailing_failed on messages (project_id, mailing_id, id)
  where mailing_id is not null and state in ('UNDELIVERED', 'ERROR');
