-- Which letters beyond ASCII are one, no two programs agree on: a user name and an address of mail are found by their own.
drop index chats_username;
create index chats_username on chats (project_id, platform, lower(username collate "C")) where username is not null;

drop index profiles_email;
create index profiles_email on profiles (project_id, lower(email collate "C") text_pattern_ops) where email is not null;
