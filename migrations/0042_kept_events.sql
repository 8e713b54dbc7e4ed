-- What happens while a webhook is disabled is kept: for seven days, and sent when somebody asks for it.
alter table events drop constraint events_state_check;
alter table events add constraint events_state_check check (state in ('PENDING', 'DELIVERED', 'FAILED', 'KEPT'));
create index events_kept on events (id) where state = 'KEPT';
