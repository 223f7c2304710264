import { locales, textNames, type TextName } from '@auction-catalogue/client'
import { useState, type KeyboardEvent } from 'react'
import { useHouse } from '../../api/index.ts'
import { Conflict } from '../../lot/conflict.tsx'
import { useSettings } from '../../settings.ts'
import { textLabels } from '../../texts/items.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import type { Related } from '../choices.ts'
import type { Editing } from './editing.ts'
import { useLanguages } from './languages.ts'
import { Owner } from './owner.tsx'
import { RelatedField } from './related-field.tsx'

type Props = { editing: Editing; isBusy: boolean; onConsigned?: (consignment: Related) => void }

/** Everything that a person sets of an item, except its pictures. `problem` is the id of what says why it is not saved. */
export function Fields({ editing, isBusy, problem, onConsigned }: Props & { problem: string }) {
  const texts = useTexts()
  const own = useStaffTexts().cataloguing
  const { language } = useSettings()
  const { locale } = useHouse()!
  const [added, setAdded] = useState<string[]>([])
  const written = Object.entries(editing.values).flatMap(([name, value]) =>
    name.includes('.') && value !== '' ? [name.split('.')[0]!] : [],
  )
  const languages = useLanguages(locale, [...written, ...added])
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const field = (name: string, label: string, of?: string) => (
    <Field key={name} {...{ editing, isBusy, problem, name, label }} locale={of} language={of && names.of(of)} />
  )
  const rows = (shown: readonly TextName[]) =>
    shown.map((text) => (
      <div key={text} className="side-by-side">
        {languages.map((each) => field(`${each}.${text}`, textLabels[text][language], each))}
      </div>
    ))
  const [title, description, ...others] = textNames
  return (
    <>
      <section className="fields-row" aria-label={texts.consignment}>
        <Owner editing={editing} {...(onConsigned && { onConsigned })} />
        <RelatedField kind="category" name="categories" label={texts.categories} editing={editing} isMany />
        {field('reference', texts.reference)}
      </section>
      <section className="texts-rows" aria-labelledby="item-texts">
        <h2 id="item-texts">{texts.texts}</h2>
        {rows([title, description])}
        <div className="fields-row narrow" role="group" aria-label={texts.estimate}>
          {field('low', `${texts.estimate}: ${texts.low}`)}
          {field('high', `${texts.estimate}: ${texts.high}`)}
        </div>
        {rows(others)}
        <select aria-label={texts.addLanguage} value="" onChange={({ target }) => setAdded([...added, target.value])}>
          <option value="">{texts.addLanguage}</option>
          {locales
            .filter((each) => !languages.includes(each))
            .map((each) => (
              <option key={each} value={each}>
                {names.of(each)}
              </option>
            ))}
        </select>
      </section>
      <section className="fields-row" aria-label={own.more}>
        <RelatedField kind="maker" name="makers" label={texts.makers} editing={editing} isMany />
        <RelatedField kind="delivery_class" name="delivery_class" label={texts.deliveryClass} editing={editing} />
      </section>
    </>
  )
}

// A title and a line of a form have one line.
const endLine = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

function Field(props: {
  editing: Editing
  isBusy: boolean
  problem: string
  name: string
  label: string
  locale?: string | undefined
  language?: string | undefined
}) {
  const { editing, isBusy, problem, name, label, locale, language } = props
  const { values, stored, draft, conflicts, wrong, change, choose } = editing
  const settings = useSettings()
  const house = useHouse()!
  const isLine = locale === undefined || name.endsWith('.title')
  // An item that was loaded may have no reference.
  const isRequired = name === `${house.locale}.title` || (name === 'reference' && stored['reference'] !== '')
  const shared = {
    name,
    value: values[name] ?? '',
    readOnly: isBusy,
    autoComplete: 'off',
    dir: 'auto',
    lang: locale,
    'aria-required': isRequired,
    'data-changed': stored['reference'] !== undefined && name in draft.mine,
    ...(wrong.includes(name) && { 'aria-invalid': true, 'aria-describedby': problem }),
    ...(isLine && { onKeyDown: endLine }),
    onChange: ({ target }: { target: { value: string } }) =>
      change({ [name]: isLine ? target.value.replaceAll(/\s*\n\s*/g, ' ') : target.value }),
  }
  return (
    <label>
      <span className="label-line">
        {label} {language && <span className="quiet">{language}</span>}
      </span>
      {locale === undefined ? (
        <input {...shared} {...(name !== 'reference' && { inputMode: 'decimal' as const })} />
      ) : (
        <textarea {...shared} rows={name.endsWith('.description') ? 4 : 1} />
      )}
      {conflicts.includes(name) && (
        <Conflict
          theirs={stored[name] ?? ''}
          language={settings.language}
          locale={locale}
          onChoose={(isMine) => choose(name, isMine)}
        />
      )}
    </label>
  )
}
