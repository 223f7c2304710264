import { BrokenCell } from './cells.ts'

/** Restores characters that XML cannot have: XLSX writes them as `_x000B_`. */
export const unescapeText = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

// A run begins with its mark: struck through, not struck through, or as its cell is. Unicode has no such characters.
const marks = { struck: '\uFDD1', kept: '\uFDD2', own: '\uFDD3' }
const anyMark = /[\uFDD1-\uFDD3]/g

const digits: Record<string, string> = { superscript: '⁰¹²³⁴⁵⁶⁷⁸⁹', subscript: '₀₁₂₃₄₅₆₇₈₉' }

/** Whether an element such as `<strike/>` or `<strike val="0"/>` switches on what it is called. */
export const isOn = ({ val = '' }: Record<string, string>): boolean => !/^(?:0|false)$/.test(val)

/**
 * Makes handlers that read the texts of elements: `si`, or `is` in a cell. A text may have several runs, which are marked
 * for `toShownText`. Raised and lowered digits are characters of their own. Phonetic guides are left out.
 */
export function readTexts(element: string, emit: (marked: string) => void) {
  let [isInside, isText, isPhonetic] = [false, false, false]
  let [text, mark, align] = ['', '', '']
  return {
    open(name: string, attributes: Record<string, string>): void {
      if (name === element) [isInside, text, mark, align] = [true, '', '', '']
      else if (name === 'r') [mark, align] = [marks.own, '']
      else if (name === 'rPr') mark = marks.kept
      else if (name === 'strike' && isOn(attributes)) mark = marks.struck
      else if (name === 'vertAlign') align = attributes.val ?? ''
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't' && isInside && !isPhonetic) [isText, text] = [true, text + mark]
    },
    text(piece: string): void {
      if (!isText) return
      // The digits of `_x000B_` stay.
      text += piece.replace(/_x[0-9A-Fa-f]{4}_|\d/g, (found) => digits[align]?.[Number(found)] ?? found)
    },
    close(name: string): void {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === element) {
        isInside = false
        emit(text)
      }
    },
  }
}

/** What a cell shows for a text with marks. A text of which only a part is struck through has a problem. */
export function toShownText(marked: string, isStruckCell: boolean): string | BrokenCell {
  if (marked.search(anyMark) < 0) return unescapeText(marked)
  const runs = marked.split(/(?=[\uFDD1-\uFDD3])/)
  const isStruck = (run: string) => run[0] === marks.struck || (isStruckCell && run[0] === marks.own)
  const print = (some: string[]) => unescapeText(some.join('').replace(anyMark, ''))
  const [struck, kept] = [print(runs.filter(isStruck)).trim(), print(runs.filter((run) => !isStruck(run))).trim()]
  if (struck === '' || kept === '') return print(runs)
  const problem = `has struck-through text "${struck.slice(0, 60)}": delete it, or take the strike away`
  return new BrokenCell(print(runs), problem)
}
