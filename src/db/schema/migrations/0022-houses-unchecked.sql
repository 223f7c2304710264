-- Houses are never deleted. Each check locked the row of the house: of the work of PostgreSQL for clients that created
-- items at the same moment, that was a fifth.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.items drop constraint items_house_id_fkey;
alter table catalogue.idempotency_keys drop constraint idempotency_keys_house_id_fkey;
