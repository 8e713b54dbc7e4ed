-- A client's lasting id at the provider, where their address can change: a phone number, a user name. Chats keep the
-- address by which messages are sent.
create table lasting_ids (
  project_id uuid not null,
  channel_id uuid not null,
  lasting_id text not null,
  chat_id uuid not null,
  primary key (project_id, channel_id, lasting_id),
  foreign key (project_id, chat_id) references chats on delete cascade
);
create index lasting_ids_chat on lasting_ids (project_id, chat_id);
