-- Citus moves a shard to another worker by logical replication, which leaves unlogged tables out and so refuses the move.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

-- citus: truncate catalogue.item_documents;
-- citus: alter table catalogue.item_documents set logged;
