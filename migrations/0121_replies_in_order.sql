-- An operator's message waits for the ones before it in its chat.
create index concurrently messages_queued_replies on messages (chat_id, id)
  where is_queued and source in ('connector', 'operator');
