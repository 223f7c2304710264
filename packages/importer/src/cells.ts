/** What is in a cell. A number and a yes or no come from XLSX only; a date of XLSX is the text `2026-04-12 19:30:00`. */
export type Cell = string | number | boolean | null

/** A row of a sheet, and the line on which it begins. */
export type Row = { line: number; cells: Cell[] }
