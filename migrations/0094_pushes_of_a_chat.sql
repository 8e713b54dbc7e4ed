-- A partner asks for the push messages of a chat. Without this all messages of the project are read beside the chat's.
create index concurrently messages_pushes_of_chat on messages (chat_id, project_id, id) where source in ('push', 'stream');
