-- The text of a scenario that nobody follows until it is published. The row stays without a text, because its revision
-- counts on: a save that began from an older text is refused.
create table scenario_drafts (
  project_id uuid not null,
  scenario_id integer not null,
  revision integer not null,
  -- The version that the draft began from.
  version integer not null,
  source text,
  saved_by text not null,
  saved_at timestamptz not null,
  primary key (project_id, scenario_id),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);

-- Who has a scenario open at the moment.
create table scenario_editors (
  project_id uuid not null,
  scenario_id integer not null,
  operator_id uuid not null,
  name text not null,
  seen_at timestamptz not null,
  primary key (project_id, scenario_id, operator_id),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);
