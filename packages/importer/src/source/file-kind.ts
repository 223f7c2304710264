import { extname } from 'node:path'
import { Unusable } from '../misfit.ts'
import { readHead } from './head.ts'

const oldWorkbook = 'is a workbook of Excel 97 to 2003 (.xls): save it as .xlsx'
// A locked workbook is a container of the old kind, with the encrypted workbook in it.
const longestContainer = 64 * 1024 * 1024

/** What a file is by its first bytes, and what to do with it. Undefined if it can be a text or a workbook, as its name says. */
async function describeOther(path: string): Promise<string | undefined> {
  const head = await readHead(path, 4096)
  const isXlsx = extname(path).toLowerCase() === '.xlsx'
  const text = head.toString('latin1')
  if (head.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex'))) {
    const container = await readHead(path, longestContainer)
    return container.includes(Buffer.from('EncryptedPackage', 'utf16le'))
      ? 'is a locked workbook: save it without a password'
      : oldWorkbook
  }
  if (head[0] === 9 && [0, 2, 4, 8].includes(head[1]!)) return oldWorkbook
  if (text.startsWith('%PDF')) return 'is a PDF, not a sheet: get the sheet from which it was made'
  if (/^\W*<(?:!doctype html|html|table|meta)/i.test(text))
    return 'is a web page, as some programs export sheets: open it in a spreadsheet program and save it as .xlsx'
  if (text.startsWith('PK\x03\x04')) {
    if (text.includes('opendocument.spreadsheet')) return 'is an OpenDocument sheet (.ods): save it as .xlsx'
    return isXlsx ? undefined : 'is a workbook, or another ZIP archive: if it is a workbook, name it .xlsx'
  }
  return isXlsx ? 'is no workbook, but seems to be a text: name it .csv' : undefined
}

/**
 * Checks that a file is of the kind that its name says.
 * @throws Unusable with what it is
 */
export async function checkKind(path: string): Promise<void> {
  const found = await describeOther(path)
  if (found !== undefined) throw new Unusable(`${path} ${found}`)
}
