-- The stored JSON of items, in four parts: before the images, the images as ids, the images in full, and the rest. A row
-- is valid only for the item's present revision and the instance's present format. Losing it in a crash is harmless.
-- Texts stay in the row and are not compressed: most reads are of many rows.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create unlogged table catalogue.item_documents (
  house_id bigint not null,
  item_id bigint not null,
  revision bigint not null,
  format text not null,
  head text not null,
  image_ids text not null,
  images text not null,
  tail text not null,
  primary key (house_id, item_id)
) with (toast_tuple_target = 8160);
-- citus: select create_distributed_table('catalogue.item_documents', 'house_id');
