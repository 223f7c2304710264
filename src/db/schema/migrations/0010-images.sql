-- Images in the feed of changes: the place of an image keeps its public id and its item, because its row is deleted with
-- it. And the lists of a house's images: item_id decides between images of two items with the same public id.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.changes add column public_id uuid, add column item_id bigint;

insert into catalogue.change_marks (house_id, kind, record_id) select house_id, 10, id from catalogue.images;

create index images_by_age on catalogue.images
  (house_id, coalesce(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
-- least() is the same time, but only these indexes have its order: otherwise the planner may walk all images by age and
-- look for the few that are processing.
create index images_by_publicity on catalogue.images
  (house_id, public, least(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
create index images_by_processing on catalogue.images
  (house_id, processing, least(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
create index images_by_failure on catalogue.images
  (house_id, num_nonnulls(processing_failed_at), least(created_at, 'infinity'), coalesce(public_id, :'last_uuid'), item_id);
