-- What a scenario was at each of its versions: a run stays on the one that it began with.
alter table scenarios add column version integer not null default 1;
create table scenario_versions (
  project_id uuid not null,
  scenario_id integer not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, scenario_id, version),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);
insert into scenario_versions (project_id, scenario_id, version, definition, created_at)
select project_id, id, 1, definition, created_at from scenarios;
alter table scenarios drop column definition;

-- The scenarios that clients start by writing. An empty keyword stands for their first message.
create table scenario_starters (
  project_id uuid not null,
  keyword text not null,
  scenario_id integer not null,
  primary key (project_id, keyword),
  foreign key (project_id, scenario_id) references scenarios on delete cascade
);

-- The scenario that a chat follows, or was the last to follow: a new one takes the row over.
create table scenario_runs (
  project_id uuid not null,
  chat_id uuid not null,
  id uuid not null,
  -- Null when there is no such scenario (any more).
  scenario_id integer,
  version integer,
  -- What it is started with.
  params jsonb not null,
  -- Of the engine; null before the first step.
  state jsonb,
  status text not null default 'running' check (status in ('running', 'ended', 'failed')),
  reason text not null default '',
  lane smallint not null,
  -- The queued message that asked for this run and becomes its first one; null when there was none, or it is written.
  start_id uuid,
  -- The last message of this run: the next one is sent after it.
  last_message_id uuid,
  -- What the client has written and the run has not heard: rows of `scenario_mail`.
  unheard integer not null default 0,
  -- When a worker should look next: at once, when a wait is over, or at the end of a lease. Null waits for the client.
  due_at timestamptz,
  lease uuid,
  -- Claims since the last step that was written.
  attempts smallint not null default 0,
  created_at timestamptz not null,
  primary key (project_id, chat_id),
  foreign key (project_id, chat_id) references chats
) with (fillfactor = 70);
create index scenario_runs_due on scenario_runs (project_id, due_at) where due_at is not null;

-- A client's messages that a run has yet to hear, in their order.
create table scenario_mail (
  project_id uuid not null,
  chat_id uuid not null,
  seq bigint generated always as identity,
  -- The run that was the chat's when the message came.
  run_id uuid not null,
  message_id uuid not null,
  primary key (project_id, chat_id, seq),
  foreign key (project_id, chat_id) references scenario_runs on delete cascade
);

-- Messages that start a scenario wait without a channel until its first message takes their place.
create index messages_starts on messages (project_id, due_at)
  where state = 'PENDING' and channel_id is null and due_at is not null;

-- Templates that name a scenario: the client's answer starts it.
create index messages_invitations on messages (project_id, chat_id, id)
  where content_type = 'WHATSAPP_TEMPLATE' and content ? 'node';

-- The message that is sent after this one: it waits without a channel and without a time until this one is through, so
-- that a client reads a scenario's messages in their order.
alter table messages add column next_id uuid;

create function release_next_message() returns trigger language plpgsql as $$
begin
  if new.state = 'CANCELLED' then
    update messages set state = 'CANCELLED'
    where project_id = new.project_id and id = new.next_id and state = 'PENDING' and channel_id is null;
  else
    update messages set channel_id = chats.channel_id, due_at = messages.created_at from chats
    where messages.project_id = new.project_id and messages.id = new.next_id and messages.state = 'PENDING'
      and messages.channel_id is null and chats.project_id = messages.project_id and chats.id = messages.chat_id;
  end if;
  return null;
end $$;

create trigger messages_followed after update of state on messages for each row
  when (
    new.next_id is not null
    and old.state in ('PENDING', 'IN_PROCESS')
    and new.state not in ('PENDING', 'IN_PROCESS')
  )
  execute function release_next_message();

-- A run that is over, or gives way to another, before it has sent anything: the message that asked for it is handed to
-- the sending engine all the same, with the reason why there is nothing to send.
create function refuse_start() returns trigger language plpgsql as $$
begin
  update messages set channel_id = chats.channel_id, due_at = greatest(messages.created_at, messages.due_at),
    rendered = jsonb_build_object('type', 'nothing', 'text', case
      when new.id <> old.id then 'Another scenario began before this one had sent anything.'
      when new.status = 'failed' then new.reason
      else 'The scenario ended without sending anything.'
    end)
  from chats
  where messages.project_id = old.project_id and messages.id = old.start_id and messages.state = 'PENDING'
    and messages.channel_id is null and chats.project_id = messages.project_id and chats.id = messages.chat_id;
  if new.start_id = old.start_id then new.start_id := null; end if;
  return new;
end $$;

create trigger scenario_runs_silent before update on scenario_runs for each row
  when (old.start_id is not null and (new.id <> old.id or new.status <> 'running'))
  execute function refuse_start();
