-- One row, which identifies a history of the database. src/db/generation.ts adds what a copy of the row cannot keep.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create table catalogue.generation (
  singleton boolean primary key default true check (singleton),
  value uuid not null
);
insert into catalogue.generation (value) values (gen_random_uuid());
