-- A client who enters a saved audience starts a scenario. The subject is the audience's uuid.
alter table scenario_event_starters
  drop constraint scenario_event_starters_kind_check,
  add constraint scenario_event_starters_kind_check
    check (kind in ('tag_added', 'tag_removed', 'attribute', 'promocode', 'date', 'audience'));
