-- Every tenant table has the key (project_id, id) and composite foreign keys: a foreign tenant's row
-- cannot be referenced at all, and the tables can be distributed by project_id.
-- Ids are UUIDv7 made by the program, except where a name says otherwise.

create table projects (
  id uuid primary key,
  name text not null,
  open_session_on_message boolean not null default false,
  created_at timestamptz not null
);

-- People and what they may do -------------------------------------------------------------------------

create table users (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

-- An operator with a user signs in by password; one without enters by temporary links only.
create table operators (
  project_id uuid not null references projects,
  id uuid not null,
  user_id uuid references users,
  role text not null check (role in ('admin', 'operator')),
  email text not null,
  name text not null,
  avatar text,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create unique index operators_email on operators (project_id, lower(email));

-- Applications, tokens, keys: only hashes are kept -----------------------------------------------------

create table applications (
  id uuid primary key,
  name text not null,
  secret_hash bytea not null,
  redirect_uris text[] not null,
  created_at timestamptz not null
);

-- All tokens that descend from one grant. Revoking the family revokes every one of them.
create table token_families (
  id uuid primary key,
  project_id uuid not null references projects,
  application_id uuid not null references applications,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index token_families_grant on token_families (project_id, application_id);

create table oauth_codes (
  code_hash bytea primary key,
  project_id uuid not null references projects,
  application_id uuid not null references applications,
  redirect_uri text not null,
  code_challenge text,
  expires_at timestamptz not null,
  -- Set by the first use, which is the only good one.
  family_id uuid references token_families
);

create table access_tokens (
  token_hash bytea primary key,
  family_id uuid not null references token_families on delete cascade,
  expires_at timestamptz not null
);
create index access_tokens_family on access_tokens (family_id);

create table refresh_tokens (
  token_hash bytea primary key,
  family_id uuid not null references token_families on delete cascade,
  expires_at timestamptz not null,
  rotated_at timestamptz
);
create index refresh_tokens_family on refresh_tokens (family_id);

create table bot_keys (
  project_id uuid not null references projects,
  id uuid not null,
  name text not null,
  key_hash bytea not null unique,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (project_id, id)
);

create table idempotency_keys (
  project_id uuid not null references projects,
  key_hash bytea not null,
  request_hash bytea not null,
  -- The id of what is made under this key, chosen before it is made: a second attempt cannot make a second one.
  object_id uuid not null,
  -- The first answer, encrypted; null while there is none.
  answer bytea,
  claimed_until timestamptz not null,
  created_at timestamptz not null,
  primary key (project_id, key_hash)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Clients ---------------------------------------------------------------------------------------------

create table tags (
  project_id uuid not null references projects,
  name text not null,
  primary key (project_id, name)
);

create table attributes (
  project_id uuid not null references projects,
  name text not null,
  primary key (project_id, name)
);

create table profiles (
  project_id uuid not null references projects,
  id uuid not null,
  external_id text,
  phone_number text,
  email text,
  name text,
  timezone text,
  pda_agreed timestamptz,
  tags text[] not null default '{}',
  attrs jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, external_id),
  unique (project_id, phone_number)
);

create table channels (
  project_id uuid not null references projects,
  id uuid not null unique,
  platform text not null,
  name text not null,
  settings jsonb not null,
  -- The secret ones among the settings, encrypted.
  sealed_settings bytea not null,
  state text not null default 'active' check (state in ('active', 'paused')),
  state_detail text not null default '',
  created_at timestamptz not null,
  primary key (project_id, id)
);

-- How fast a channel may send: a token bucket that every worker draws from in its claim, learnt from the
-- provider's refusals. Apart from `channels` because it is written at every claim.
create table channel_pace (
  project_id uuid not null,
  channel_id uuid not null unique,
  -- Messages a second; null means that the provider has shown no limit yet.
  rate double precision,
  -- What the provider documents; null where it documents nothing.
  rate_ceiling double precision,
  tokens double precision not null default 0,
  tokens_at timestamptz not null,
  -- Nothing is sent before this moment: the provider asked for a pause.
  resume_at timestamptz not null,
  -- Counts claimed messages, so that every tenth place is kept for the regular lane.
  claimed bigint not null default 0,
  -- What was claimed within the running second, to know at which speed a refusal came.
  window_at timestamptz not null,
  window_count integer not null default 0,
  primary key (project_id, channel_id),
  foreign key (project_id, channel_id) references channels
);

create table chats (
  project_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  profile_id uuid not null,
  platform text not null,
  -- The client's address on the channel, in the provider's words.
  external_id text not null,
  name text,
  username text,
  phone text,
  avatar text,
  variables jsonb not null default '{}',
  -- Set when the client blocked us or asked us to stop; cleared by the client's next message.
  stopped_at timestamptz,
  created_at timestamptz not null,
  last_active_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, channel_id, external_id),
  foreign key (project_id, channel_id) references channels,
  foreign key (project_id, profile_id) references profiles
);
create index chats_profile on chats (project_id, profile_id, last_active_at desc);
create index chats_address on chats (project_id, platform, external_id);
create index chats_username on chats (project_id, platform, lower(username)) where username is not null;

create table sessions (
  project_id uuid not null,
  id uuid not null,
  chat_id uuid not null,
  operator_id uuid,
  operator_name text,
  title text not null default '',
  team text,
  context jsonb not null default '{}',
  category_name text,
  theme_name text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, chat_id) references chats
);
create unique index sessions_open on sessions (project_id, chat_id) where closed_at is null;

create table notes (
  project_id uuid not null,
  id uuid not null,
  chat_id uuid not null,
  author_id uuid,
  author_name text not null,
  text text not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, chat_id) references chats
);
create index notes_chat on notes (project_id, chat_id, id);

create table scenarios (
  project_id uuid not null references projects,
  id integer generated by default as identity,
  name text not null,
  definition jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, name)
);

create table templates (
  project_id uuid not null references projects,
  pid text not null,
  body text not null,
  variables text[] not null,
  language text not null,
  approval text not null check (approval in ('approved', 'pending', 'rejected')),
  created_at timestamptz not null,
  primary key (project_id, pid)
);

-- Messages: the chats' history and the send queue in one -----------------------------------------------

create table messages (
  project_id uuid not null,
  id uuid not null,
  chat_id uuid,
  channel_id uuid,
  direction text not null check (direction in ('in', 'out')),
  source text not null check (source in ('client', 'push', 'stream', 'mailing', 'connector', 'operator', 'scenario')),
  -- `TEXT`, `NODE`, … from the push API; `text`, `image`, … from the connector and from clients.
  content_type text not null,
  content jsonb not null,
  application_id uuid,
  author_id uuid,
  author_name text,
  session_id uuid,
  external_id text,
  campaign_id uuid,
  campaign_name text,
  tag text,
  is_force boolean not null default false,
  launch_at timestamptz,
  created_at timestamptz not null,
  -- The queue. `due_at` is when the row next needs a worker: the launch or a retry while PENDING, the end of
  -- the lease or a retry whose first call may have been heard while IN_PROCESS.
  state text check (state in ('PENDING', 'IN_PROCESS', 'SENT', 'DELIVERED', 'READ', 'UNDELIVERED', 'CANCELLED', 'ERROR')),
  state_detail text not null default '',
  lane smallint not null default 0 check (lane in (0, 1)),
  due_at timestamptz,
  attempts smallint not null default 0,
  -- Names the claim that may write the result: a worker that lost its lease writes nothing.
  lease uuid,
  provider_id text,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  primary key (project_id, id),
  check ((direction = 'out') = (state is not null)),
  foreign key (project_id, chat_id) references chats
) partition by range (id);

create index messages_queue on messages (channel_id, lane, due_at) where state in ('PENDING', 'IN_PROCESS');
create index messages_history on messages (project_id, chat_id, id);
create index messages_provider on messages (channel_id, provider_id) where provider_id is not null;
create index messages_pushes on messages (project_id, id) where source in ('push', 'stream');

create function refuse_message_move() returns trigger language plpgsql as $$
begin
  raise exception 'a message cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end $$;

-- The only moves there are. Source: open points, section 3, "States".
create trigger messages_moves before update of state on messages for each row
  when (
    old.state is distinct from new.state
    and (old.state || '>' || new.state) not in (
      'PENDING>IN_PROCESS', 'PENDING>CANCELLED',
      'IN_PROCESS>PENDING', 'IN_PROCESS>SENT', 'IN_PROCESS>UNDELIVERED', 'IN_PROCESS>ERROR',
      'SENT>DELIVERED', 'SENT>READ', 'SENT>UNDELIVERED',
      'DELIVERED>READ', 'DELIVERED>UNDELIVERED'
    )
  )
  execute function refuse_message_move();

-- An outside id that was seen already: the same message is not stored or sent again.
-- The owner is a channel (what its provider sent) or an application (what its connector sent).
create table external_ids (
  project_id uuid not null references projects,
  owner_id uuid not null,
  external_id text not null,
  message_id uuid not null,
  chat_id uuid not null,
  created_at timestamptz not null,
  primary key (project_id, owner_id, external_id)
);

-- Webhooks out ------------------------------------------------------------------------------------------

create table endpoints (
  project_id uuid not null references projects,
  id uuid not null unique,
  -- The integration whose webhook this is; null for the project's own.
  application_id uuid references applications,
  url text not null,
  -- Empty means all.
  event_types text[] not null,
  platforms text[] not null,
  -- JSON list of {secret, until}, encrypted; more than one only during a rotation.
  sealed_secrets bytea not null,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create unique index endpoints_owner on endpoints (project_id, coalesce(application_id, '00000000-0000-0000-0000-000000000000'));

-- The outbox: one row an event and endpoint, written in the transaction of what happened.
create table events (
  project_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  chat_id uuid not null,
  -- The order in which events of one chat happened; ids of different machines do not tell.
  seq bigint generated always as identity,
  event_type text not null,
  -- The exact bytes that are sent and signed.
  body text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  attempts smallint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, endpoint_id, id)
) partition by range (id);

create index events_waiting on events (endpoint_id, chat_id, seq) where state = 'PENDING';

-- One row an endpoint and chat that ever had an event. It is what a worker claims, so that the events of a chat
-- keep their order. `waiting` counts its undelivered events: writers and workers meet on this row's lock and
-- change the count relative to its latest value, so no event is forgotten between them.
create table event_queues (
  project_id uuid not null,
  endpoint_id uuid not null,
  chat_id uuid not null,
  waiting integer not null check (waiting >= 0),
  -- When a worker should look next: at once, after a failed attempt's pause, or at the end of a lease.
  due_at timestamptz not null,
  lease uuid,
  primary key (endpoint_id, chat_id),
  foreign key (project_id, endpoint_id) references endpoints on delete cascade
);
create index event_queues_due on event_queues (endpoint_id, due_at) where waiting > 0;

create table attempts (
  project_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- The receiver's status; null when there was no answer.
  status smallint,
  error text,
  answer text not null default '',
  primary key (project_id, event_id, id)
) partition by range (id);

-- Partitions ------------------------------------------------------------------------------------------------

create table messages_default partition of messages default;
create table events_default partition of events default;
create table attempts_default partition of attempts default;

-- The smallest UUIDv7 of a moment.
create function uuid_floor(moment timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Makes the monthly partitions from the month of `moment` on that do not exist yet.
create function ensure_partitions(moment timestamptz, months integer) returns integer language plpgsql as $$
declare
  parent text;
  first_day timestamptz;
  made integer := 0;
  partition_name text;
begin
  foreach parent in array array['messages', 'events', 'attempts'] loop
    for i in 0 .. months - 1 loop
      first_day := (date_trunc('month', moment at time zone 'utc') + make_interval(months => i)) at time zone 'utc';
      partition_name := format('%s_%s', parent, to_char(first_day at time zone 'utc', 'YYYYMM'));
      if to_regclass(partition_name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', partition_name, parent,
          uuid_floor(first_day), uuid_floor((first_day at time zone 'utc' + interval '1 month') at time zone 'utc'));
        made := made + 1;
      end if;
    end loop;
  end loop;
  return made;
end $$;

select ensure_partitions(now(), 3);
