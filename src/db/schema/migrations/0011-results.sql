-- result_state: sold, unsold or withdrawn. result_with: the lot of the session that this one was sold together with.
-- sold, which earlier versions read, says whether the state is sold. held: a person decides, not the job. notices: the
-- announcement by locale. decides_from: the job leaves lots that closed before it to staff. A cancelled bid stays.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.houses add column results text not null default 'by-staff';
alter table catalogue.sessions add column results text not null default 'by-staff', add column decides_from timestamptz;
alter table catalogue.lots
  add column result_state text,
  add column result_amount bigint,
  add column result_at timestamptz,
  add column result_after_sale boolean not null default false,
  add column result_with bigint,
  add column held boolean not null default false,
  add column notices jsonb not null default '{}';
alter table catalogue.lots add constraint lots_result_with
  foreign key (house_id, result_with) references catalogue.lots (house_id, id);
alter table catalogue.bids add column cancelled_at timestamptz, add column cancel_reason text;

update catalogue.lots set result_state = 'sold', result_amount = current_bid, revision = revision + 1,
  updated_at = (updated_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC'
where sold;
insert into catalogue.change_marks (house_id, kind, record_id) select house_id, 2, id from catalogue.lots where sold;
