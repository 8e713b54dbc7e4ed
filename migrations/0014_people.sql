-- People who are invited have no password until they follow their link.
alter table users alter column password_hash drop not null;
create index operators_user on operators (user_id);

-- What a link is good for: to sign in, or to choose a password and sign in.
alter table sign_in_links add column purpose text not null default 'sign_in' check (purpose in ('sign_in', 'password'));
alter table sign_in_links alter column purpose drop default;
create index sign_in_links_user on sign_in_links (user_id);

-- A browser in which somebody is signed in, known by the hash of its cookie's token.
create table person_sessions (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  -- Moved forwards by use, once an hour at most.
  seen_at timestamptz not null
);
create index person_sessions_user on person_sessions (user_id);
create index person_sessions_age on person_sessions (seen_at);

-- Passwords that were tried, by account, by browser and by address, so that all processes slow down guessing together.
create table sign_in_attempts (
  -- A hash: of an account that there may not be, among others.
  subject bytea primary key,
  -- Since the last success, the attempt that is under way included.
  failures integer not null,
  paused_until timestamptz not null,
  -- Whether the latest attempt came within a pause, and so was not made.
  was_refused boolean not null,
  last_at timestamptz not null
);
create index sign_in_attempts_age on sign_in_attempts (last_at);
