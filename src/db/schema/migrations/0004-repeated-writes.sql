-- rate_limit: the requests per minute of a key, null for the setting, 0 for no limit. A row of idempotency_keys is the
-- answer to the write with this key. request is the hash that identifies a repeated request.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.api_keys add column rate_limit integer, add column require_if_match boolean not null default false;

create table catalogue.idempotency_keys (
  house_id bigint not null references catalogue.houses (id),
  key text not null,
  request bytea not null,
  status integer not null,
  body text,
  location text,
  created_at timestamptz not null,
  primary key (house_id, key)
);
-- citus: select create_distributed_table('catalogue.idempotency_keys', 'house_id');
create index idempotency_keys_by_creation on catalogue.idempotency_keys (house_id, created_at);
