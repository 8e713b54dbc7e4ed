-- A merge moves the starts that wait for a client.
create index scenario_event_starts_of_profile on scenario_event_starts (project_id, profile_id)
  where profile_id is not null;
