-- What mailings of a project are about. A client may leave one topic and still get the others.
create table topics (
  project_id uuid not null references projects,
  id uuid not null,
  name text not null check (name <> ''),
  description text not null default '',
  -- A client who writes one of these leaves the topic. In the form in which messages are compared.
  words text[] not null default '{}',
  created_at timestamptz not null,
  primary key (project_id, id)
);
create unique index topics_name on topics (project_id, lower(name collate "C"));

-- Null: the mailing is about nothing that a client can leave apart.
alter table mailings
  add column topic_id uuid,
  add constraint mailings_topic foreign key (project_id, topic_id) references topics;
create index mailings_of_topic on mailings (project_id, topic_id) where topic_id is not null;

-- How the client unsubscribed from everything. Null if that was by the link, before there was another way.
alter table chats add column unsubscribed_by text check (unsubscribed_by in ('link', 'word', 'button', 'operator'));

-- The topics that the client left in this chat, each with its time and way: {"<topic>": {"at": …, "by": …}}. As
-- `unsubscribed_at`, they count for the client in every chat. The index of a client's chats finds them.
alter table chats add column left_topics jsonb;
