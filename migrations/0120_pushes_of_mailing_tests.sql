-- The push messages of a test, by the variant that each says. A test from before has none.
create table mailing_test_pushes (
  project_id uuid not null,
  digest bytea not null,
  variant smallint not null,
  push_id uuid not null,
  primary key (project_id, digest, push_id),
  foreign key (project_id, digest) references mailing_tests on delete cascade
);
