import type { Context } from '../../context.ts'
import { selectLot } from '../../lots/queries.ts'
import { lockNotices, writeNotices } from '../../lots/result-statements.ts'
import type { Locale } from '../../values/locales.ts'
import { byteLength, isBlank, isStorable } from '../../values/text.ts'
import { noteChange } from '../../writes/journal.ts'
import { inTransaction, readWritten } from '../../writes/transaction.ts'
import { requireRecord } from '../named-records.ts'
import { Refusal } from '../refusal.ts'

// As in a load.
const mostBytes = 1024

/**
 * Sets what is announced about a lot, by locale; null takes it away. The house's locale is that of the flat notice.
 * Repeating it changes nothing. Returns the lot's document.
 * @throws Refusal if there is no such lot, it has a result, or a text is blank or too long
 */
export async function setNotices(
  context: Context,
  uuid: string,
  notices: Partial<Record<Locale, string | null>>,
): Promise<string> {
  return inTransaction(context, async (tx) => {
    await writeNoticesOf(tx, uuid, notices)
    return (await readWritten(tx, selectLot(tx, uuid))).json
  })
}

/** As `setNotices`, in a transaction. */
export async function writeNoticesOf(
  tx: Context,
  uuid: string,
  notices: Partial<Record<Locale, string | null>>,
): Promise<void> {
  for (const [locale, text] of Object.entries(notices)) {
    if (text === null) continue
    const field = `notice_translations.${locale}`
    if (isBlank(text) || !isStorable(text)) throw new Refusal('the notice is blank or cannot be stored', { field })
    if (byteLength(text) > mostBytes) throw new Refusal(`the notice has more than ${mostBytes} bytes`, { field })
  }
  const lot = requireRecord('lot', uuid, await lockNotices(tx, uuid))
  const given = Object.entries(notices) as [Locale, string | null][]
  const isNew = given.some(([locale, text]) => (lot.notices[locale] ?? null) !== text)
  if (isNew && lot.result_state !== null) throw new Refusal(`the lot is ${lot.result_state}`, { reason: 'has_result' })
  const merged = { ...lot.notices, ...notices }
  const stored = Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== null))
  if (isNew) {
    const fieldsOf = (texts: object) =>
      Object.fromEntries(
        Object.entries(texts).map(([locale, text]) => [`notice_translations.${locale}`, text as unknown]),
      )
    noteChange(tx, { kind: 'lot', uuid }, fieldsOf(lot.notices), fieldsOf(stored))
    await writeNotices(tx, lot.id, stored)
  }
}
