/** Text that is HTML. All other text is escaped when it is put into a page. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Value = Html | string | number | null | undefined | false | readonly Value[]

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escape = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign]!)

function print(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  return typeof value === 'object' ? value.map(print).join('\n') : escape(String(value))
}

/** A template of HTML. Its values are escaped, unless they are HTML; null, undefined and false are left out. */
export const html = (parts: TemplateStringsArray, ...values: Value[]) =>
  new Html(parts.map((part, at) => part + print(values[at])).join(''))
