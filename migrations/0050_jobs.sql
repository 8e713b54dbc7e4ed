-- When each periodic job last began and ended, and what went wrong. One row a job, for all processes.
create table jobs (
  name text primary key,
  began_at timestamptz not null,
  ended_at timestamptz,
  error text
);
