-- An address is proved by following a link that was mailed to it, or that whoever runs the installation has passed on.
-- Somebody whom only an administrator has vouched for may be an administrator's own invention: they get into projects of
-- others no sooner than the address is proved.
alter table users add column address_proved boolean not null default true;
alter table operators add column awaits_proof boolean not null default false;
-- False for a link that was shown to an administrator.
alter table sign_in_links add column proves_address boolean not null default true;

-- The project whose administrators may change the application; null for one that the command line has made. Without an
-- owner the administrators of any project that it was granted could lead everybody's codes to themselves.
alter table applications add column owner_id uuid references projects;
create index applications_owner on applications (owner_id) where owner_id is not null;
create index token_families_application on token_families (application_id);
