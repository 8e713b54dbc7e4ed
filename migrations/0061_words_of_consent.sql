-- A client whose whole message is one of these gets no more mailings, or gets them again. In the form in which messages
-- are compared. An answer that is null is ours, and an empty one is not sent.
alter table projects
  add column leave_words text[] not null default '{stop,unsubscribe,стоп,отписаться}',
  add column return_words text[] not null default '{start,subscribe,старт,подписаться}',
  add column leave_answer text,
  add column return_answer text;

-- A word that starts a scenario already does so on.
update projects set
  leave_words = array(select word from unnest(leave_words) as word where not exists (
    select from scenario_starters
    where project_id = projects.id and (keyword = word or word like pattern)
  )),
  return_words = array(select word from unnest(return_words) as word where not exists (
    select from scenario_starters
    where project_id = projects.id and (keyword = word or word like pattern)
  ))
where exists (select from scenario_starters where project_id = projects.id);
