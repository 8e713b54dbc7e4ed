-- A chat's queue goes with its last event: whoever writes the next one makes it again.
delete from event_queues where waiting = 0;
comment on table event_queues is 'One row an endpoint and chat with undelivered events.';
