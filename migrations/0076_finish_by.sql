-- The moment by which a mailing is done: its messages are spread until then, and none is sent later. Null without one.
alter table mailings add column finish_by timestamptz;
