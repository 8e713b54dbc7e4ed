-- Who paused the channel by hand; null where the channel did so itself, because its credentials were refused.
alter table channels add column paused_by text;

-- Given-up events, to be looked at and replayed.
create index events_failed on events (project_id, endpoint_id, id) where state = 'FAILED';

-- A channel's messages that failed, to be shown with their reasons, by the end of their last call's lease.
create index messages_failures on messages (channel_id, due_at)
  where direction = 'out' and state in ('UNDELIVERED', 'ERROR');
