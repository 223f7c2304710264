-- numbers_fixed: the list is printed, so that staff no longer change the numbers of the session's lots.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.sessions add column numbers_fixed boolean not null default false;
