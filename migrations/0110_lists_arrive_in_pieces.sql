-- A list in the body of a mailing is stored in pieces before its mailing, under an id of its own. The statement that
-- stores the mailing gives it the pieces. Lists that a crash left behind are found here.
create table arriving_lists (
  project_id uuid not null references projects on delete cascade,
  id uuid not null,
  begun_at timestamptz not null,
  primary key (project_id, id)
);

alter table mailing_identifiers drop constraint mailing_identifiers_project_id_mailing_id_fkey;
