-- The large stored answers, whose sum per house is limited. The length of a text is read without the text.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create index idempotency_keys_large on catalogue.idempotency_keys (house_id) where octet_length(body) > 16384;
