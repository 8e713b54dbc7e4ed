-- What scenarios' requests need to know and nobody is shown: sealed, and sent to one host alone.
create table project_secrets (
  project_id uuid not null references projects,
  name text not null,
  host text not null,
  sealed bytea not null,
  set_at timestamptz not null,
  primary key (project_id, name)
);
