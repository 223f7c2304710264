-- The lists of a house's images. item_id decides between images of two items with the same public id.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create index images_by_age on catalogue.images
  (house_id, coalesce(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
create index images_by_publicity on catalogue.images
  (house_id, public, coalesce(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
create index images_by_processing on catalogue.images
  (house_id, processing, coalesce(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
create index images_by_failure on catalogue.images
  (house_id, (processing_failed_at is not null), coalesce(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
