import { CatalogueError, locales, textNames } from '@auction-catalogue/client'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useHouse, type Item } from '../api/index.ts'
import { putWrittenItem } from '../api/single.ts'
import { Discard } from '../parts/discard.tsx'
import { readDraft } from '../parts/drafts.ts'
import { Words } from '../parts/problem.tsx'
import { useSettings } from '../settings.ts'
import { textLabels } from '../texts/items.ts'
import { useTexts } from '../texts/texts.tsx'
import { Conflict } from './conflict.tsx'
import {
  findConflicts,
  findFault,
  hasDraft,
  listTranslations,
  nameOf,
  printBody,
  readValues,
  restOf,
  saveOver,
  settle,
  typeInto,
  useDraft,
  type Draft,
} from './draft.ts'

/** Why the values cannot be saved, and the names of those that are wrong. */
type Refusal = { words: ReactNode; names: string[] }

/**
 * Edits the texts and the estimate of an item. Values that another client changed meanwhile are shown, and never
 * overwritten. `onClose` learns whether they were saved.
 */
export function Editor(props: { item: Item; etag: string | null; onClose: (isSaved: boolean) => void }) {
  const { item, etag, onClose } = props
  const texts = useTexts()
  const { language } = useSettings()
  const [draft, keep] = useDraft(item.id)
  const [added, setAdded] = useState<string[]>([])
  const house = useHouse()!
  const { locale: own, currency } = house
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const { mine } = draft
  const hasChanges = Object.keys(mine).length > 0
  const stored = readValues(item, own)
  const conflicts = findConflicts(draft, stored)
  const canSave = !isBusy && hasChanges && conflicts.length === 0 && etag !== null
  const drafted = Object.keys(mine).flatMap((name) => (name.includes('.') ? [name.split('.')[0]!] : []))
  const columns = [...new Set([...listTranslations(item, own).map(([locale]) => locale), ...drafted, ...added])]
  const names = new Intl.DisplayNames(language, { type: 'language' })

  const type = (name: string, value: string) => {
    keep(typeInto(draft, stored, name, value))
    setRefusal(null)
  }
  const refuse = (words: ReactNode, ...names: string[]) => {
    setRefusal({ words, names })
    focus(names[0])
  }
  const focus = (name: string | undefined) =>
    name !== undefined && form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  const choose = (name: string, isMine: boolean) => {
    keep(settle(draft, stored, name, isMine))
    focus(name)
  }
  const refuseError = (error: unknown) => {
    const errors = error instanceof CatalogueError ? (error.errors ?? []) : []
    refuse(<Words error={error} />, ...errors.map((each) => nameOf(each.field)))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!canSave) return
    const fault = findFault(mine, stored, house, language)
    if (fault) return refuse(texts[fault.why], ...fault.names)
    setBusy(true)
    try {
      const body = printBody(mine, currency, language)
      const saved = await saveOver(
        item.id,
        body,
        etag,
        (newer) => findConflicts(draft, readValues(newer, own)).length > 0,
      )
      if (saved) {
        const later = readDraft(item.id) as Draft | null
        keep(later && restOf(later, mine, readValues(saved, own)))
        putWrittenItem(saved)
        if (!hasDraft(item.id)) onClose(true)
      }
    } catch (error) {
      refuseError(error)
    }
    setBusy(false)
  }
  // A title has one line.
  const endLine = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    form.current!.requestSubmit()
  }
  const close = () => {
    keep(null)
    onClose(false)
  }
  const field = (name: string, label: string, isLong: boolean, locale?: string) => {
    const shared = {
      name,
      value: mine[name] ?? stored[name] ?? '',
      'data-changed': name in mine,
      'aria-required': name === `${own}.title`,
      ...(refusal?.names.includes(name) && { 'aria-invalid': true, 'aria-describedby': 'editor-refusal' }),
      ...(locale && { lang: locale, dir: 'auto' }),
    }
    const isTitle = name.endsWith('.title')
    const change = ({ target }: { target: { value: string } }) =>
      type(name, isTitle ? target.value.replaceAll(/\s*\n\s*/g, ' ') : target.value)
    return (
      <label key={name}>
        <span lang={language}>{label}</span>
        {isLong ? (
          <textarea
            {...shared}
            onChange={change}
            rows={name.endsWith('.description') ? 6 : 2}
            {...(isTitle && { onKeyDown: endLine })}
          />
        ) : (
          <input {...shared} onChange={change} inputMode="numeric" />
        )}
        {conflicts.includes(name) && (
          <Conflict
            theirs={stored[name] ?? ''}
            language={language}
            locale={locale}
            onChoose={(isMine) => choose(name, isMine)}
          />
        )}
      </label>
    )
  }
  return (
    <form ref={form} className="editor" onSubmit={(event) => void submit(event)}>
      {conflicts.length > 0 && (
        <p className="refusal" role="alert">
          {texts.conflict} {texts.conflictHelp}
        </p>
      )}
      <fieldset className="estimate">
        <legend>{texts.estimate}</legend>
        {field('low', texts.low, false)}
        {field('high', texts.high, false)}
      </fieldset>
      <div className="columns">
        {columns.map((locale) => (
          <fieldset key={locale}>
            <legend>{names.of(locale)}</legend>
            {textNames.map((each) => field(`${locale}.${each}`, textLabels[each][language], true, locale))}
          </fieldset>
        ))}
      </div>
      <select aria-label={texts.addLanguage} value="" onChange={({ target }) => setAdded([...added, target.value])}>
        <option value="">{texts.addLanguage}</option>
        {locales
          .filter((locale) => !columns.includes(locale))
          .map((locale) => (
            <option key={locale} value={locale}>
              {names.of(locale)}
            </option>
          ))}
      </select>
      {refusal && (
        <p id="editor-refusal" className="refusal" role="alert">
          {refusal.words}
        </p>
      )}
      <div className="actions sticky">
        {hasChanges && <span className="quiet">{texts.unsaved}</span>}
        {hasChanges ? (
          <Discard onDiscard={close} />
        ) : (
          <button type="button" onClick={close}>
            {texts.closeEditor}
          </button>
        )}
        <button type="submit" className="primary" disabled={!canSave}>
          {texts.save}
        </button>
      </div>
    </form>
  )
}
