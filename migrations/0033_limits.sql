-- How often something has happened since a moment. What a crash of the server forgets begins anew.
create unlogged table rates (
  -- SHA-256 of what is counted, and for whom.
  subject bytea primary key,
  taken integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index rates_ended on rates (ends_at);

-- How many bytes of files each project has.
create table file_quotas (
  project_id uuid primary key references projects,
  bytes bigint not null
) with (fillfactor = 50);
insert into file_quotas (project_id, bytes) select project_id, sum(size) from attachments group by project_id;
