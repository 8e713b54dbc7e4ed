-- The comparison of mailings asks who left a topic. Without this it reads the chats of all projects.
create index concurrently chats_left_topics on chats (project_id) where left_topics is not null;
