-- storage_limit bounds the bytes of a house's stored pictures; 0 is no limit. The bytes of an image's files are null if an
-- earlier version stored them, until the daily clean-up of the store has counted them.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.houses add column storage_limit bigint not null default 0;
alter table catalogue.images add column original_bytes bigint, add column renditions_bytes bigint;
create index images_storage on catalogue.images (house_id) include (original_bytes, renditions_bytes)
  where original is not null or renditions is not null;
