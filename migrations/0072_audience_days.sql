-- The clients that an audience had when it was last looked at. A client may have been deleted since then.
create table audience_members (
  project_id uuid not null references projects,
  audience_id uuid not null,
  profile_id uuid not null,
  primary key (project_id, audience_id, profile_id)
);

-- One look at an audience a day: its size, and who came and went since the look before.
create table audience_days (
  project_id uuid not null,
  audience_id uuid not null,
  day date not null,
  size integer not null,
  -- Null for the first look, which has nothing to compare with.
  came integer,
  gone integer,
  -- The last profile that was looked at.
  cursor uuid not null,
  -- Null while the look goes on.
  ended_at timestamptz,
  -- Why the look was given up.
  problem text,
  primary key (project_id, audience_id, day),
  foreign key (project_id, audience_id) references audiences on delete cascade
);
