-- A channel that is being added is `unfinished`: its address answers, because its provider may call it at once.
alter table channels drop constraint channels_state_check;
alter table channels add constraint channels_state_check check (state in ('unfinished', 'active', 'paused'));
