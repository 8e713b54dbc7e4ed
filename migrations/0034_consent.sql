-- Whoever is invited belongs to the project when they say so, and not before.
alter table operators add column awaits_consent boolean not null default false;

-- The project that a link invites to: choosing a password behind it says yes to that one. A link of an invitation opens nothing
-- by itself: it asks somebody who has a password already to sign in.
alter table sign_in_links add column invited_to uuid references projects;
alter table sign_in_links drop constraint sign_in_links_purpose_check;
alter table sign_in_links add constraint sign_in_links_purpose_check check (purpose in ('sign_in', 'password', 'invitation'));
