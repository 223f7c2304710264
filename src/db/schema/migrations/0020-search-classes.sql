-- The lowest bit of a key in search_items.keys says whether a title has it, and the keys are sorted: so one look into the
-- row says how a word is found.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.search_items drop column title_keys;
