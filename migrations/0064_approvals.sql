-- Whether a mailing that a person makes waits for the approval of another person.
alter table projects add column needs_approval boolean not null default false;

-- Null where no approval is needed. The revision counts how often the content was saved, so that an approval names what
-- was read. The author is who saved it last.
alter table mailings
  add column approval text check (approval in ('awaited', 'given')),
  add column revision integer not null default 0,
  add column author_id uuid,
  add constraint mailings_approval check (approval is distinct from 'awaited' or due_at is null or state <> 'planned');

-- Who asked for an approval, and who gave it. Nothing is changed or deleted here.
create table mailing_approvals (
  project_id uuid not null,
  mailing_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('asked', 'approved')),
  revision integer not null,
  author_id uuid not null,
  author_name text,
  created_at timestamptz not null,
  primary key (project_id, mailing_id, id),
  foreign key (project_id, mailing_id) references mailings on delete cascade
);
