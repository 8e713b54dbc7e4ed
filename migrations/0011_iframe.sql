-- A temporary link to the chat center for an operator, and the session of the browser that it let in.
create table iframe_links (
  project_id uuid not null references projects,
  id uuid not null unique,
  -- Whoever asked for the link may frame what is behind it.
  application_id uuid not null references applications,
  operator_id uuid not null,
  -- The only client that may be seen; null for all of them. Were it set to null when the profile goes (merged into another
  -- one, say), the session would grow: so it ends.
  profile_id uuid,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The first browser that opened it; null until then.
  browser_hash bytea,
  session_expires_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, operator_id) references operators on delete cascade,
  foreign key (project_id, profile_id) references profiles on delete cascade
);
create index iframe_links_profile on iframe_links (project_id, profile_id) where profile_id is not null;
create index iframe_links_age on iframe_links (greatest(expires_at, session_expires_at));
