-- The lots of a seller or a consignment, whose items may be archived: with the indexes of items that are not, all of them
-- are found. Few items are archived, so these indexes cost nothing.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create index items_archived_by_seller on catalogue.items (house_id, seller_id) where archived;
create index items_archived_by_consignment on catalogue.items (house_id, consignment_id) where archived;
