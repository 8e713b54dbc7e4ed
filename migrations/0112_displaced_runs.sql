-- The run that another one displaced, until the first message of that one has reached the client. If it is cancelled, or
-- is a mailing's and does not arrive, the chat goes back to this run. `by` is that message.
alter table scenario_runs add column displaced jsonb;
create index scenario_runs_displaced on scenario_runs (project_id, chat_id) where displaced is not null;
