-- A client's message that starts a scenario while the chat's run has not heard an earlier one: it waits its turn. The
-- run that it begins: its id, scenario, version and parameters.
alter table scenario_mail add column starts jsonb;
