-- Some providers tell the time up to which a client has read. Then `up_to` is in milliseconds.
alter table early_marks add column is_time boolean not null default false;
