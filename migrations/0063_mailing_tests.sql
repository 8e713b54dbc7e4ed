-- A mailing to more recipients than this starts after a test of its content only. Null without this rule.
alter table projects add column test_above integer check (test_above >= 0);

-- Clients who get the tests of mailings.
create table colleagues (
  project_id uuid not null,
  profile_id uuid not null,
  primary key (project_id, profile_id),
  foreign key (project_id, profile_id) references profiles on delete cascade
);

-- Contents that were tested, and who tested each first.
create table mailing_tests (
  project_id uuid not null references projects,
  digest bytea not null,
  author_id uuid not null,
  author_name text,
  created_at timestamptz not null,
  primary key (project_id, digest)
);
