-- What a page needs of a picture. width, height: of the upright original. source_widths, source_heights: the sizes of the
-- sources, which are in sources_folder with the renditions. The version before this one moves and replaces renditions
-- without sources: then sources_folder is another one, and the sources are not shown. alts: what the picture shows, by locale.
set local citus.enable_local_reference_table_foreign_keys = off;
set local citus.multi_shard_modify_mode = 'sequential';

alter table catalogue.images
  add column width integer,
  add column height integer,
  add column placeholder text,
  add column sources_folder text,
  add column source_widths integer[],
  add column source_heights integer[],
  add column alts jsonb not null default '{}';
