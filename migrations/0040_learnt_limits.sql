-- What a provider's refusals have taught of its limit: a speed that was really achieved, from what it was told, and until
-- when it counts. Ten minutes without a refusal, and it is forgotten.
alter table channel_pace
  add column learnt double precision,
  add column learnt_from jsonb,
  add column learnt_until timestamptz,
  -- Of the running window, now ten seconds long, the calls that were refused; and what the window before it achieved.
  add column window_refused integer not null default 0,
  add column window_before double precision not null default 0;

-- Messages a second that a channel may send at this moment; null where the provider has shown no limit.
create function pace_now(rate double precision, ceiling double precision, learnt_until timestamptz, at timestamptz)
returns double precision language sql immutable parallel safe
return case when learnt_until <= at then ceiling else rate end;
