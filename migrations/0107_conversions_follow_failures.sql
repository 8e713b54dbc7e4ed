-- The mailing's message that a client got last before a moment, within the project's days.
create function last_mailing_message(project uuid, profile uuid, happened timestamptz)
returns table (mailing_id uuid, message_id uuid, variant smallint) language sql stable as $$
  select last.mailing_id, last.id, last.variant
  from projects
  join chats on chats.project_id = projects.id and chats.profile_id = profile
  cross join lateral (
    select messages.mailing_id, messages.id, messages.variant, messages.sent_at from messages
    where messages.project_id = chats.project_id and messages.chat_id = chats.id and source = 'mailing'
      and sent_at <= happened and sent_at > happened - make_interval(days => conversion_days)
      and state in ('SENT', 'DELIVERED', 'READ')
    order by sent_at desc limit 1
  ) as last
  where projects.id = project
  order by last.sent_at desc limit 1
$$;

-- The same for a conversion that is being stored. It is locked: if it is about to fail, this waits and finds another.
create function converting_message(project uuid, profile uuid, happened timestamptz)
returns table (mailing_id uuid, message_id uuid, variant smallint) language plpgsql as $$
begin
  loop
    select last.* into mailing_id, message_id, variant from last_mailing_message(project, profile, happened) as last;
    if not found then
      return;
    end if;
    perform from messages
    where messages.project_id = project and messages.id = message_id and state in ('SENT', 'DELIVERED', 'READ')
    for share;
    if found then
      return next;
      return;
    end if;
  end loop;
end $$;

-- A message can fail after it was sent. The client has not got it, so its conversions count for the mailing before.
create function give_conversions_to_earlier() returns trigger language plpgsql as $$
begin
  update conversions set (mailing_id, message_id, variant) = (
    select earlier.mailing_id, earlier.message_id, earlier.variant from chats
    cross join lateral last_mailing_message(new.project_id, chats.profile_id, conversions.happened_at) as earlier
    where chats.project_id = new.project_id and chats.id = new.chat_id
  )
  where project_id = new.project_id and mailing_id = new.mailing_id and message_id = new.id;
  return null;
end $$;

create trigger messages_conversions after update of state on messages for each row
when (
  new.mailing_id is not null and old.state in ('SENT', 'DELIVERED') and new.state in ('UNDELIVERED', 'ERROR')
)
execute function give_conversions_to_earlier();

update conversions set (mailing_id, message_id, variant) = (
  select earlier.mailing_id, earlier.message_id, earlier.variant
  from last_mailing_message(conversions.project_id, conversions.profile_id, conversions.happened_at) as earlier
)
where exists (
  select from messages
  where messages.project_id = conversions.project_id and messages.id = conversions.message_id and messages.has_failed
);
