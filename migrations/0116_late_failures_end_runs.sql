-- A mailing's message that fails after it was sent ends its run at once, also where the chat followed nothing before.
create or replace function note_first_message() returns trigger language plpgsql as $$
begin
  insert into scenario_sent (project_id, message_id, due_at)
  select new.project_id, new.id, new.created_at
  where exists (select from scenario_openings where project_id = new.project_id and message_id = new.id)
    or exists (
      select from scenario_runs
      where project_id = new.project_id and chat_id = new.chat_id and last_message_id = new.id
        and (displaced is not null or new.source = 'mailing')
    )
  on conflict do nothing;
  return null;
end $$;
