-- Set when the client unsubscribed from mailings by the address in one of them. No mailing reaches the client any more,
-- in any chat. Everything else does, and the client's next message changes nothing.
alter table chats add column unsubscribed_at timestamptz;
create index chats_unsubscribed on chats (project_id, profile_id) where unsubscribed_at is not null;

-- When to ask the provider for the client's name, which their messages do not tell. Null once it is known or given up.
alter table chats add column name_due_at timestamptz, add column name_tries smallint not null default 0;
create index chats_nameless on chats (name_due_at) where name_due_at is not null;

update chats set name_due_at = last_active_at
where name is null and platform in ('Vkontakte', 'Facebook', 'Instagram', 'Odnoklassniki', 'Avito');
