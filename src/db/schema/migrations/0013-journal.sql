-- Who changed what: a row is written in the transaction of its change. record is the public UUID of the record of that
-- kind; journal_records has the other records that a write of several changed. kinds: the kinds of all of them, which
-- decide who may read the row. changes: JSON. kept: bids and results, which the clean-up leaves. No reference to the house: every write
-- of the interface would pay for its check, and houses are never deleted.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

create table catalogue.journal (
  house_id bigint not null,
  at timestamptz not null,
  id uuid not null,
  actor_type text not null,
  actor_id text,
  actor_name text,
  operation text not null,
  kind text,
  record uuid,
  kinds text[] not null,
  changes text not null,
  reason text,
  request_id uuid,
  kept boolean not null,
  primary key (house_id, at, id)
);
-- citus: select create_distributed_table('catalogue.journal', 'house_id');

create table catalogue.journal_records (
  house_id bigint not null,
  record uuid not null,
  at timestamptz not null,
  id uuid not null,
  primary key (house_id, record, at, id),
  constraint journal_records_of_journal foreign key (house_id, at, id) references catalogue.journal (house_id, at, id) on delete cascade
);
-- citus: select create_distributed_table('catalogue.journal_records', 'house_id');

create index journal_by_record on catalogue.journal (house_id, record, at, id) where record is not null;
create index journal_by_actor on catalogue.journal (house_id, actor_name, at, id);
create index journal_by_actor_id on catalogue.journal (house_id, actor_id, at, id) where actor_id is not null;
create index journal_by_operation on catalogue.journal (house_id, operation, at, id);
create index journal_records_by_row on catalogue.journal_records (house_id, at, id);
