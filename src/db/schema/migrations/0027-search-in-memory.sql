-- The service keeps the words of a house in its memory, and follows the feed of changes (docs/decisions/0030-search.md).
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

drop table catalogue.search_items, catalogue.search_names, catalogue.search_words, catalogue.search_marks, catalogue.search_houses;
drop index catalogue.lots_by_creation;

-- No worker has this task any more, so its job would be late for good. A new database has no queue yet. A semicolon at the
-- end of a line ends the statement.
do 'begin
  if to_regclass(''graphile_worker._private_jobs'') is not null then
    delete from graphile_worker._private_jobs
      where task_id in (select id from graphile_worker._private_tasks where identifier = ''index_search'')
  ; end if
; end
';
