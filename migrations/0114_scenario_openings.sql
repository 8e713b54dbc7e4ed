-- Runs that a message has started, and that have not begun in their chats: they wait for a moment before their first
-- message, or until that was sent. The chats follow what they followed before.
create table scenario_openings (
  project_id uuid not null,
  -- The message that started the run, and becomes its first one.
  message_id uuid not null,
  chat_id uuid not null,
  id uuid not null,
  scenario_id integer,
  version integer,
  params jsonb not null,
  state jsonb not null,
  lane smallint not null,
  path text[] not null,
  -- The end of a wait before the first message. Null while that is being sent.
  due_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, message_id),
  foreign key (project_id, chat_id) references chats
);
create index scenario_openings_due on scenario_openings (project_id, due_at) where due_at is not null;
create index scenario_openings_of_chat on scenario_openings (project_id, chat_id);
create index scenario_openings_of_scenario on scenario_openings (project_id, scenario_id);

-- The first messages that have ended, or have failed after they were sent, for the engine of scenarios. Sending only
-- inserts here, and waits for nobody.
create table scenario_sent (
  project_id uuid not null,
  message_id uuid not null,
  due_at timestamptz not null,
  primary key (project_id, message_id)
);

create function note_first_message() returns trigger language plpgsql as $$
begin
  insert into scenario_sent (project_id, message_id, due_at)
  select new.project_id, new.id, new.created_at
  where exists (select from scenario_openings where project_id = new.project_id and message_id = new.id)
    or exists (
      select from scenario_runs
      where project_id = new.project_id and chat_id = new.chat_id and last_message_id = new.id and displaced is not null
    )
  on conflict do nothing;
  return null;
end $$;

create trigger messages_opened after update of state on messages for each row
  when (
    new.content_type = 'NODE'
    and new.state not in ('PENDING', 'IN_PROCESS')
    and (old.state in ('PENDING', 'IN_PROCESS') or new.state in ('UNDELIVERED', 'ERROR'))
  )
  execute function note_first_message();

-- The runs that are under way: in their chats, or until they begin there.
create view scenario_walks as
select project_id, chat_id, scenario_id, version, state, path, created_at from scenario_runs where status = 'running'
union all
select project_id, chat_id, scenario_id, version, state, path, created_at from scenario_openings;

drop index scenario_runs_displaced;
