-- Set when the client unsubscribed from mailings by the address in one of them. No mailing reaches the client any more,
-- in any chat. Everything else does, and the client's next message changes nothing.
alter table chats add column unsubscribed_at timestamptz;
create index chats_unsubscribed on chats (project_id, profile_id) where unsubscribed_at is not null;
