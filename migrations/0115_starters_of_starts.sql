-- Starts by days and audiences wait for hours where quiet hours are. They end with their starter.
alter table scenario_event_starts add column starter_id uuid;
