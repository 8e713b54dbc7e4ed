-- Who has saved a version, by the name that they had then; null from the command line. And its text as it was written:
-- jsonb forgets the order of fields, which a person who edits it does not. Null where only the definition is known.
alter table scenario_versions
  add column saved_by text,
  add column source text;

-- How many chats are following a scenario.
create index scenario_runs_under_way on scenario_runs (project_id, scenario_id) where status = 'running';

-- Conversations that a scenario is held against before it is saved.
create table scenario_tests (
  project_id uuid not null,
  id uuid not null,
  scenario_id integer not null,
  name text not null,
  -- As `scenario run` takes it.
  script jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, scenario_id, name),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);

-- The mailings that still need a template.
create index mailings_awaiting_template on mailings (project_id, template_whatsapp)
  where template_whatsapp is not null and state in ('planned', 'in_process');
