import { textNames } from '@auction-catalogue/client'
import { useHouse, type Item } from '../api/index.ts'
import { useSettings } from '../settings.ts'
import { textLabels } from '../texts/items.ts'
import { listTranslations } from './draft.ts'

/** The texts of an item, one language beside the other. */
export function TextColumns({ item }: { item: Item }) {
  const { language } = useSettings()
  const house = useHouse()
  const names = new Intl.DisplayNames(language, { type: 'language' })
  return (
    <div className="columns">
      {listTranslations(item, house?.locale).map(([locale, translation]) => (
        <section key={locale} lang={locale} aria-label={names.of(locale) ?? locale}>
          <h3 lang={language}>{names.of(locale)}</h3>
          <dl>
            {textNames.map((field) => {
              const text = translation[field]
              return text ? (
                <div key={field} data-field={field}>
                  <dt lang={language}>{textLabels[field][language]}</dt>
                  <dd dir="auto">{text}</dd>
                </div>
              ) : null
            })}
          </dl>
        </section>
      ))}
    </div>
  )
}
