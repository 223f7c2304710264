import type { Handlers } from './xml.ts'

/** How the parts of a workbook are read. */
export type Parts = {
  read(part: string, handlers: Handlers): Promise<void>
  /** The parts to which a part points, by the ids of the relations. Empty if it points to none. */
  readRelations(part: string): Promise<Map<string, { kind: string; part: string }>>
}

/**
 * A picture on its row, with its part of the workbook. A linked picture has no part. The line of one that stands at no cell
 * is infinite.
 */
export type PlacedPicture = { line: number; column: number; part: string | undefined }
