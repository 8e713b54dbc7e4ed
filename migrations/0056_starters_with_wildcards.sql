-- A starter is listed, disabled and removed at its scenario. A keyword may have wildcards.
alter table scenario_starters
  add column id uuid not null default gen_random_uuid(),
  add column is_enabled boolean not null default true,
  -- The LIKE pattern of a keyword with a star. Null for all others.
  add column pattern text;
alter table scenario_starters
  alter column id drop default,
  drop constraint scenario_starters_pkey,
  add primary key (project_id, id),
  add constraint scenario_starters_keyword unique (project_id, keyword);

-- A star in a keyword was a star of the message. It stays one, and is written with a backslash now.
update scenario_starters set
  keyword = replace(keyword, '*', '\*'),
  pattern = replace(replace(replace(keyword, '\', '\\'), '%', '\%'), '_', '\_')
where position('*' in keyword) > 0;

create index scenario_starters_of on scenario_starters (project_id, scenario_id);
create index scenario_starters_patterns on scenario_starters (project_id) where pattern is not null and is_enabled;
