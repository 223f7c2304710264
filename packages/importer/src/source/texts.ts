import { BrokenCell } from './cells.ts'

/** Restores characters that XML cannot have: XLSX writes them as `_x000B_`. */
export const unescapeText = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const digits: Record<string, string> = { superscript: '⁰¹²³⁴⁵⁶⁷⁸⁹', subscript: '₀₁₂₃₄₅₆₇₈₉' }

/**
 * Makes handlers that read the texts of elements: `si`, or `is` in a cell. A text may have several runs. Raised and lowered
 * digits are characters of their own, and a text of which a part is struck through has a problem. Phonetic guides are left
 * out.
 */
export function readTexts(element: string, emit: (text: string | BrokenCell) => void) {
  let [isInside, isText, isPhonetic, isStruck] = [false, false, false, false]
  let [text, struck, kept, run, align] = ['', '', '', '', '']
  return {
    open(name: string, { val = '' }: Record<string, string>): void {
      if (name === element) [isInside, text, struck, kept] = [true, '', '', '']
      if (name === element || name === 'r') [isStruck, align] = [false, '']
      else if (name === 't') [isText, run] = [true, '']
      else if (name === 'rPh') isPhonetic = true
      else if (name === 'strike') isStruck = !/^(?:0|false)$/.test(val)
      else if (name === 'vertAlign') align = val
    },
    text(piece: string): void {
      if (isInside && isText && !isPhonetic) run += piece
    },
    close(name: string): void {
      if (name === 't') {
        const shown = unescapeText(run).replace(/\d/g, (digit) => digits[align]?.[Number(digit)] ?? digit)
        ;[isText, run, text] = [false, '', text + shown]
        if (isStruck) struck += shown
        else kept += shown
      } else if (name === 'rPh') isPhonetic = false
      else if (name === element) {
        isInside = false
        const isMixed = struck.trim() !== '' && kept.trim() !== ''
        const problem = `has struck-through text "${struck.trim().slice(0, 60)}": delete it, or take the strike away`
        emit(isMixed ? new BrokenCell(text, problem) : text)
      }
    },
  }
}
