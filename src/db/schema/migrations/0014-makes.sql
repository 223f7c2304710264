-- What staff make: a deleted category, maker or delivery class stays as an archived row, so that the feed of changes can
-- name it. The indexes are those of the lists of items by seller and by consignment.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.categories add column archived boolean not null default false;
alter table catalogue.makers add column archived boolean not null default false;
alter table catalogue.delivery_classes add column archived boolean not null default false;

create index items_by_seller on catalogue.items
  (house_id, seller_id, coalesce(created_at, '-infinity'), coalesce(public_id, :'last_uuid')) where not archived;
create index items_by_consignment on catalogue.items
  (house_id, consignment_id, coalesce(created_at, '-infinity'), coalesce(public_id, :'last_uuid')) where not archived;
