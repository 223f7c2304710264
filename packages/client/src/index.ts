export { Catalogue } from './catalogue.ts'
export { cursor, type Change, type ChangesQuery, type Fingerprint } from './changes.ts'
export { decimalsOf } from './generated/currencies.ts'
export {
  CatalogueError,
  Conflict,
  Invalid,
  NotFound,
  RateLimited,
  Unavailable,
  type FailureCode,
  type FieldError,
  type StateConflict,
} from './errors.ts'
export type { Guard, ImageUpload, Options, ReadOptions, Rehearsal, WriteOptions } from './groups.ts'
export type { Listing, Page, Position } from './listing.ts'
export { etag, isRunning, warnings } from './records.ts'
export type {
  Auction,
  ExpansionOf,
  FiltersOf,
  Item,
  Kind,
  LiveSession,
  Lot,
  RecordOf,
  Session,
  SessionCounts,
  StaffLot,
  StaffSession,
  Tagged,
  TimedSession,
  Unsaved,
} from './records.ts'
export { locales, textNames, type TextName } from './generated/texts.ts'
export type { FacetOf, Findings, SearchPage, SearchQuery } from './search.ts'
export type { CatalogueOptions } from './transport.ts'
export type { Progress, Source } from './upload.ts'
export type * from './generated/wire.ts'
