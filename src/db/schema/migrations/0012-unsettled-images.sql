-- The images of an item that are being processed, or whose processing failed: few in a house, and counted for the items
-- of a session at each read of its counts.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create index images_unsettled on catalogue.images (house_id, item_id)
  where processing or processing_failed_at is not null;
