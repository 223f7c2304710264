-- The service keeps the words of a house in its memory, and follows the feed of changes (docs/decisions/0030-search.md).
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

drop table catalogue.search_items, catalogue.search_names, catalogue.search_words, catalogue.search_marks, catalogue.search_houses;
drop index catalogue.lots_by_creation;
