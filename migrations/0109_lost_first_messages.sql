-- A mailing whose message did not reach a client has not begun there. Its scenario's further messages are not sent.
create or replace function release_next_message() returns trigger language plpgsql as $$
begin
  if new.state = 'CANCELLED' or new.source = 'mailing' and new.state in ('UNDELIVERED', 'ERROR') then
    update messages set state = 'CANCELLED'
    where project_id = new.project_id and id = new.next_id and state = 'PENDING' and channel_id is null;
  else
    update messages set channel_id = chats.channel_id, due_at = messages.created_at from chats
    where messages.project_id = new.project_id and messages.id = new.next_id and messages.state = 'PENDING'
      and messages.channel_id is null and chats.project_id = messages.project_id and chats.id = messages.chat_id;
  end if;
  return null;
end $$;
