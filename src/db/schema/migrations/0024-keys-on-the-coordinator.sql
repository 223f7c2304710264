-- A reference table can only be written while all workers answer. The keys are on the coordinator of Citus alone, so that a
-- key can be revoked as long as the coordinator answers. Citus cannot convert a reference table with an identity.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

-- citus: create table catalogue.local_keys (like catalogue.api_keys including all);
-- citus: insert into catalogue.local_keys select * from catalogue.api_keys;
-- citus: drop table catalogue.api_keys;
-- citus: alter table catalogue.local_keys rename to api_keys;
-- citus: alter index catalogue.local_keys_pkey rename to api_keys_pkey;
-- citus: alter index catalogue.local_keys_public_id_key rename to api_keys_public_id;
-- citus: alter index catalogue.local_keys_secret_hash_key rename to api_keys_secret_hash;
-- citus: select citus_add_local_table_to_metadata('catalogue.api_keys');
-- citus: select setval(pg_get_serial_sequence('catalogue.api_keys', 'id'), coalesce(max(id), 0) + 1, false) from catalogue.api_keys;
