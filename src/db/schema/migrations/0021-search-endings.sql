-- For the words that end with another: kandelaar finds tafelkandelaar.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create index search_words_by_ending on catalogue.search_words (house_id, reverse(word));
