-- What the client was sent, where `content` alone does not say it: a mailing's text with the recipient's values, the
-- first message of a scenario, the body of a template. It has the form of `content`, and `type` besides.
alter table messages add column rendered jsonb;

-- The mailing that a message is part of, and the first time that the client followed one of its links.
alter table messages
  add column mailing_id uuid,
  add column mailing_run integer,
  add column jumped_at timestamptz,
  add constraint messages_mailing check ((source = 'mailing') = (mailing_id is not null and mailing_run is not null));
create index messages_of_mailing on messages (project_id, mailing_id, id) where mailing_id is not null;

-- What a client who writes may be reacting to.
drop index messages_stream;
create index messages_awaiting_reaction on messages (project_id, chat_id, sent_at) where source in ('stream', 'mailing');

-- A moment as the API writes it.
create function iso(moment timestamptz) returns text language sql stable strict parallel safe
return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
