-- time_zone: the IANA name of the zone in which a house shows its times; null if it has named none.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.houses add column time_zone text;
