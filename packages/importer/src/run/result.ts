import type { Links, Missing } from './links.ts'
import type { Rejections } from '../rejections.ts'
import type { Counts, Unnamed } from './run.ts'
import type { MissingLot, UnnamedLots } from './session-lots.ts'
import type { Lines, RowAccount } from '../source/row-account.ts'

/** The rows of records that a run has taken: how many, and the lines of the last one. */
export type Taken = { count: number; lines: Lines }

/** The result of a run. */
export type Result = {
  /** The rows of a sheet. */
  account: RowAccount | undefined
  unreadSheets: string[]
  counts: Record<string, Counts>
  rejections: Rejections
  missing: Missing[]
  refs: Links['refs']
  lots: MissingLot[]
  /** Pictures that a verification found, and the source does not have. */
  unnamed: Unnamed[]
  /** Lots that a verification found, and the source does not have. */
  unnamedLots: UnnamedLots[]
  /** The rows that a run which ended early has taken. Undefined if it has taken all. */
  taken: Taken | undefined
  /** Whether too many rejections ended the run early. */
  isCutShort: boolean
  /** The error or the interruption that ended the run early. */
  fatal: unknown
}
