-- A client gets at most so many mailings about a topic in so many days, beside the project's cap. Null without a cap.
alter table topics
  add column cap_messages smallint check (cap_messages between 1 and 100),
  add column cap_days smallint check (cap_days between 1 and 90),
  add constraint topics_cap check ((cap_messages is null) = (cap_days is null));
