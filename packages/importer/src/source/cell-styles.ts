import { formatOf } from './number-formats.ts'
import type { Parts } from './parts.ts'
import { isOn } from './texts.ts'

/** The style of a cell: the format of its number, and whether its text is struck through. */
export type CellStyle = { format: string; isStruck: boolean }

/** Reads the styles of a workbook's cells, in the order of their numbers. */
export async function readCellStyles(parts: Parts, part: string): Promise<CellStyle[]> {
  const formats = new Map<string, string>()
  const fonts: { isStruck: boolean }[] = []
  const styles: CellStyle[] = []
  let within = ''
  await parts.read(part, {
    open(element, attributes) {
      const { numFmtId = '0', formatCode = '', fontId } = attributes
      if (element === 'fonts' || element === 'cellXfs') within = element
      else if (element === 'numFmt') formats.set(numFmtId, formatCode)
      else if (element === 'font' && within === 'fonts') fonts.push({ isStruck: false })
      else if (element === 'strike' && within === 'fonts') fonts.at(-1)!.isStruck = isOn(attributes)
      else if (element === 'xf' && within === 'cellXfs')
        styles.push({ format: formatOf(numFmtId, formats), isStruck: fonts[Number(fontId)]?.isStruck ?? false })
    },
    close(element) {
      if (element === within) within = ''
    },
  })
  return styles
}
