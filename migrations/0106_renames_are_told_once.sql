-- A client may have thousands of chats. A rename is told with one row, at the latest chat. Its readers find the others.
alter table chat_news add column profile_id uuid;
comment on column chat_news.profile_id is 'The client who was renamed.';

create or replace function tell_of_profile() returns trigger language plpgsql as $$
begin
  insert into chat_news (project_id, chat_id, profile_id)
  select project_id, id, new.id from chats where project_id = new.project_id and profile_id = new.id
  order by last_active_at desc limit 1;
  return null;
end $$;
