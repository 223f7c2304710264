-- A session that staff have deleted stays as an archived row without its reference, so that the feed of changes can name it.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.sessions add column archived boolean not null default false;
