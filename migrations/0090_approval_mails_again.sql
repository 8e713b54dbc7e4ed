-- A mail to approvers that certainly has not arrived is tried again.
alter table mailing_approvers
  -- The tries that failed.
  add column tries smallint not null default 0,
  -- The time of the next try. Null before the first one.
  add column again_at timestamptz;
create index mailing_approvers_due on mailing_approvers (coalesce(again_at, asked_at)) where told_at is null;
