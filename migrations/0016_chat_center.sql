-- What operators have read: the client's messages up to `read_id`. Both only grow, so whoever comes late takes nothing back.
alter table chats
  -- The client's last message; null for those who wrote before there were marks.
  add column heard_id uuid,
  add column read_id uuid not null default '00000000-0000-0000-0000-000000000000';
-- The id that a note has with the page on which it was written; null for partners' notes.
alter table notes add column external_id text;

create index chats_activity on chats (project_id, last_active_at desc, id desc);
create index chats_unread on chats (project_id, last_active_at desc, id desc) where heard_id > read_id;

create index sessions_held on sessions (project_id, operator_id, opened_at desc) where closed_at is null;
create index sessions_closed on sessions (project_id, closed_at desc, id desc) where closed_at is not null;
create index if not exists sessions_chat on sessions (project_id, chat_id, id);

-- The way of a session from hand to hand.
create table session_steps (
  project_id uuid not null,
  -- Of the first step the session's own.
  id uuid not null,
  chat_id uuid not null,
  session_id uuid not null,
  step text not null check (step in ('opened', 'taken', 'passed', 'closed')),
  -- Who has it from then on.
  operator_id uuid,
  operator_name text,
  -- Who has done it; null where no person did.
  author_id uuid,
  author_name text,
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, chat_id) references chats,
  foreign key (project_id, session_id) references sessions
);
create index session_steps_chat on session_steps (project_id, chat_id, id);

insert into session_steps (project_id, id, chat_id, session_id, step, operator_id, operator_name, created_at)
select project_id, id, chat_id, id, 'opened', operator_id, nullif(operator_name, ''), opened_at from sessions;
insert into session_steps (project_id, id, chat_id, session_id, step, created_at)
select project_id,
  (left(uuid_floor(closed_at)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid,
  chat_id, id, 'closed', closed_at
from sessions where closed_at is not null;

create table quick_answers (
  project_id uuid not null references projects,
  id uuid not null,
  title text not null,
  text text not null,
  author_id uuid not null,
  author_name text not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);

-- What is new in chats, for those who look at them just now; kept for some hours, so that whoever was cut off can go on.
create table chat_news (
  project_id uuid not null,
  id bigint generated always as identity,
  chat_id uuid not null,
  -- What is new in the chat's history; null where the chat itself has changed.
  entry_id uuid,
  -- The order in which rows become visible is not that of their ids. All transactions before the oldest one that is under
  -- way are over, so whoever has read up to there has missed nothing.
  written_by xid8 not null default pg_current_xact_id(),
  written_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, chat_id) references chats
);
create index chat_news_order on chat_news (project_id, written_by);
create index chat_news_age on chat_news (written_at);

create function tell_of_entry() returns trigger language plpgsql as $$
begin
  insert into chat_news (project_id, chat_id, entry_id) values (new.project_id, new.chat_id, new.id);
  return null;
end $$;

create function tell_of_chat() returns trigger language plpgsql as $$
begin
  insert into chat_news (project_id, chat_id) values (new.project_id, new.id);
  return null;
end $$;

-- Messages that are sent by the million are not told of: they are seen when somebody looks into the chat.
create trigger messages_told after insert on messages for each row
  when (new.source in ('client', 'operator', 'connector', 'scenario') and new.chat_id is not null)
  execute function tell_of_entry();
create trigger messages_moves_told after update of state on messages for each row
  when (
    new.source in ('operator', 'connector', 'scenario') and old.state is distinct from new.state
    and new.state not in ('PENDING', 'IN_PROCESS')
  )
  execute function tell_of_entry();
create trigger notes_told after insert on notes for each row execute function tell_of_entry();
create trigger session_steps_told after insert on session_steps for each row execute function tell_of_entry();
create trigger chats_told after update of read_id, name, phone, avatar, profile_id on chats for each row
  when (
    (old.read_id, old.name, old.phone, old.avatar, old.profile_id)
    is distinct from (new.read_id, new.name, new.phone, new.avatar, new.profile_id)
  )
  execute function tell_of_chat();

-- A client who is renamed is called so in every list.
create function tell_of_profile() returns trigger language plpgsql as $$
begin
  insert into chat_news (project_id, chat_id)
  select project_id, id from chats where project_id = new.project_id and profile_id = new.id;
  return null;
end $$;
create trigger profiles_told after update of name on profiles for each row
  when (old.name is distinct from new.name) execute function tell_of_profile();

-- Who has a session changes without a step of its own when a colleague leaves the project.
create function tell_of_session() returns trigger language plpgsql as $$
begin
  insert into chat_news (project_id, chat_id) values (new.project_id, new.chat_id);
  return null;
end $$;
create trigger sessions_told after update of operator_id on sessions for each row
  when (old.operator_id is distinct from new.operator_id) execute function tell_of_session();
