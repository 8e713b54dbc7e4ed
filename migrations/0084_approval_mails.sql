-- Whom a mailing's author asks for approval by mail. There is one row, and at most one mail, for a mailing and person,
-- however often the mailing changes.
create table mailing_approvers (
  project_id uuid not null,
  mailing_id uuid not null,
  operator_id uuid not null,
  asked_at timestamptz not null,
  -- Null until the mail is handed over.
  told_at timestamptz,
  primary key (project_id, mailing_id, operator_id),
  foreign key (project_id, mailing_id) references mailings on delete cascade,
  foreign key (project_id, operator_id) references operators on delete cascade
);
create index mailing_approvers_waiting on mailing_approvers (asked_at) where told_at is null;
create index mailing_approvers_operator on mailing_approvers (project_id, operator_id);

-- What the start page asks for.
create index mailings_awaiting_approval on mailings (project_id) where approval = 'awaited' and state = 'planned';
