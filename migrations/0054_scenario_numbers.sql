-- How many runs have reached a step on a day, and by which way they have left it. An empty way is the arrival.
create table scenario_counts (
  project_id uuid not null,
  scenario_id integer not null,
  day date not null,
  step text not null,
  way text not null,
  count bigint not null,
  primary key (project_id, scenario_id, day, step, way),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
) with (fillfactor = 70);

-- The last moves of a run, for the drawing of its path: each a step, a space and a way.
alter table scenario_runs add column path text[] not null default '{}';
