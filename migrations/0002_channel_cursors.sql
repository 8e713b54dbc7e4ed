-- Where we are in what a polled channel has to tell, and which process asks it: a provider gives one caller at a
-- time what is new, so that two would take it from each other.
create table channel_cursors (
  project_id uuid not null,
  channel_id uuid not null,
  -- In the provider's words; null before the first poll.
  cursor text,
  -- Made by a process when it starts. It asks until `held_until`, and longer if it says so in time.
  holder uuid not null,
  held_until timestamptz not null,
  primary key (project_id, channel_id),
  foreign key (project_id, channel_id) references channels
);
