-- For the search of frequent words, which ranks the matches that were created last. Items have such an index.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create index lots_by_creation on catalogue.lots (house_id, coalesce(created_at, '-infinity'), id) where not archived;
