-- kind: of the record; null in older rows, and if the row is about records of several kinds with this UUID. Each index
-- costs every write of the interface.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.journal_records add column kind text;

drop index catalogue.journal_by_actor_id;
drop index catalogue.journal_by_operation;
