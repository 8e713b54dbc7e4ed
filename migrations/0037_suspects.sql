-- A message whose worker died again and again may be what kills: it waits in the third lane, and is claimed from it alone.
alter table messages add column interruptions smallint not null default 0;
alter table messages drop constraint messages_lane_check;
alter table messages add constraint messages_lane_check check (lane in (0, 1, 2)) not valid;

-- A run is claimed alone when so many claims of a step have come to nothing.
create index scenario_runs_suspects on scenario_runs (project_id, due_at) where due_at is not null and attempts >= 3;
