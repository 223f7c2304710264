-- kind: of the record; null in older rows, and if the row is about records of several kinds with this UUID.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.journal_records add column kind text;
