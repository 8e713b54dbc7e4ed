-- What refers to a scenario by its name finds it by a former one.
create table scenario_former_names (
  project_id uuid not null,
  name text not null,
  scenario_id integer not null,
  primary key (project_id, name),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);
