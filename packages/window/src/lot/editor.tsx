import { CatalogueError, locales, textNames } from '@auction-catalogue/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { catalogue, discoveryQuery, readItem, showStored, storeItem, type Item } from '../api/index.ts'
import { Words } from '../parts/problem.tsx'
import { useSettings } from '../settings.ts'
import { textLabels } from '../texts/items.ts'
import { useTexts } from '../texts/texts.tsx'
import { findConflicts, hasDraft, printBody, readAmount, readRest, readValues, sortLocales, useDraft } from './draft.ts'

/**
 * Edits the texts and the estimate of an item. Values that another client changed meanwhile are shown, and never
 * overwritten.
 */
export function Editor({ item, etag, onClose }: { item: Item; etag: string | null; onClose: () => void }) {
  const texts = useTexts()
  const { language } = useSettings()
  const client = useQueryClient()
  const [draft, keep] = useDraft(item.id)
  const [added, setAdded] = useState<string[]>([])
  const [problem, setProblem] = useState<ReactNode>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const { mine, base } = draft
  const stored = readValues(item)
  const conflicts = findConflicts(draft, stored)
  const drafted = Object.keys(mine).flatMap((name) => (name.includes('.') ? [name.split('.')[0]!] : []))
  const columns = [...new Set([...sortLocales(item).map(([locale]) => locale), ...drafted, ...added])]
  const names = new Intl.DisplayNames(language, { type: 'language' })

  const type = (name: string, value: string) => {
    const [{ [name]: _, ...otherMine }, { [name]: begun, ...otherBase }] = [mine, base]
    const from = begun ?? stored[name] ?? ''
    keep(
      value === from && from === (stored[name] ?? '')
        ? { mine: otherMine, base: otherBase }
        : { mine: { ...mine, [name]: value }, base: { ...base, [name]: from } },
    )
    setProblem(null)
  }
  const settle = (name: string, isMine: boolean) => {
    const { [name]: _, ...others } = mine
    keep({ mine: isMine ? mine : others, base: { ...base, [name]: stored[name] ?? '' } })
  }
  const save = async (ifMatch: string): Promise<void> => {
    try {
      const { house } = await client.fetchQuery(discoveryQuery)
      const body = printBody(mine, house.currency)
      const saved = storeItem(await catalogue().items.update(item.id, body, { expand: ['images'], ifMatch }))
      keep(readRest(item.id, mine, readValues(saved.record)))
      showStored(client, saved)
      if (!hasDraft(item.id)) onClose()
    } catch (error) {
      if (!(error instanceof CatalogueError && error.code === 'precondition-failed'))
        return setProblem(<Words error={error} />)
      const newer = await readItem(item.id)
      showStored(client, newer)
      // The other client changed other values, so both changes hold.
      if (findConflicts(draft, readValues(newer.record)).length === 0) await save(newer.etag!)
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // A stored amount may have cents, which the user has not typed.
    const amountOf = (name: string) =>
      mine[name] === undefined ? (stored[name] ? Number(stored[name]) : null) : readAmount(mine[name])
    const [low, high] = ['low', 'high'].map(amountOf)
    if (Number.isNaN(low) || Number.isNaN(high)) return setProblem(texts.notAnAmount)
    if (low != null && high != null && low > high) return setProblem(texts.lowAboveHigh)
    setBusy(true)
    try {
      await save(etag!)
    } catch (error) {
      setProblem(<Words error={error} />)
    }
    setBusy(false)
  }
  const field = (name: string, label: string, isLong: boolean, locale?: string) => {
    const shared = {
      value: mine[name] ?? stored[name] ?? '',
      'data-changed': name in mine,
      onChange: (event: { target: { value: string } }) => type(name, event.target.value),
      ...(locale && { lang: locale }),
    }
    return (
      <label key={name}>
        <span lang={language}>{label}</span>
        {isLong ? (
          <textarea {...shared} rows={name.endsWith('.description') ? 6 : 2} />
        ) : (
          <input {...shared} inputMode="numeric" />
        )}
        {conflicts.includes(name) && (
          <span className="conflict" lang={language}>
            <span>
              <b>{texts.theirs}:</b> <span lang={locale}>{stored[name] || texts.none}</span>
            </span>
            <button type="button" onClick={() => settle(name, true)}>
              {texts.keepMine}
            </button>
            <button type="button" onClick={() => settle(name, false)}>
              {texts.takeTheirs}
            </button>
          </span>
        )}
      </label>
    )
  }
  const hasChanges = Object.keys(mine).length > 0
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
      {problem && (
        <p className="refusal" role="alert">
          {problem}
        </p>
      )}
      <div className="actions sticky">
        {hasChanges && <span className="quiet">{texts.unsaved}</span>}
        <button
          type="button"
          onClick={() => {
            keep(null)
            onClose()
          }}
        >
          {hasChanges ? texts.discard : texts.close}
        </button>
        <button
          type="submit"
          className="primary"
          disabled={isBusy || !hasChanges || conflicts.length > 0 || etag === null}
        >
          {texts.save}
        </button>
      </div>
    </form>
  )
}
