import { textNames, type GalleryImage, type House, type Session, type TextName } from '@auction-catalogue/client'
import { memo } from 'react'
import { itemOf, leadOf, type Lot } from '../api/index.ts'
import { readTexts, type PrintWords } from './words.ts'

// Thousands are drawn, so they get what all share.
export type Of = { lot: Lot; words: PrintWords; house: House }

// The narrowest picture that is sharp on paper: 18 centimetres at 200 dots an inch.
const dots = 1_400
const sharp = ({ sources, url, preview_url }: GalleryImage) =>
  (sources.find(({ width }) => width >= dots) ?? sources.at(-1))?.url ?? url ?? preview_url

/** The title of a lot in the language of a print. */
export function Title({ lot, words: { locale }, house: { locale: own } }: Of) {
  const item = itemOf(lot)
  const { text, locale: lang } = (item && readTexts(item, locale, own).title) ?? { text: lot.title, locale: own }
  return (
    <span lang={lang} dir="auto">
      {text}
    </span>
  )
}

/** The estimate of a lot, or that it is withdrawn. */
export function estimateOf(lot: Lot, { formats, withdrawn }: PrintWords): string {
  if (lot.result?.state === 'withdrawn') return withdrawn
  const estimate = itemOf(lot)?.estimate
  return estimate ? formats.estimate(estimate) : ''
}

/** A lot on a page of its own, for the counter: photograph, number, title, texts, estimate. */
export const LotPage = memo(function LotPage({ session, ...of }: Of & { session: Session }) {
  const { lot, words, house } = of
  const item = itemOf(lot)
  const lead = leadOf(item)
  const source = lead && sharp(lead)
  const estimate = estimateOf(lot, words)
  return (
    <section className="print-lot" aria-label={`${words.lot} ${lot.lot_number}`}>
      <header>
        <span>{house.name}</span>
        <span dir="auto">{session.title}</span>
      </header>
      {source && <img src={source} alt="" loading="lazy" />}
      <div className="print-label">
        <p className="print-number">{lot.lot_number}</p>
        <div>
          <h2>
            <Title {...of} />
          </h2>
          <Texts {...of} hasLabels />
          {estimate && (
            <p className="print-estimate">
              <span>{words.estimate}</span> {estimate}
            </p>
          )}
        </div>
      </div>
      <footer>
        <span>{session.opens_at && words.formats.dayTime(session.opens_at)}</span>
        <span>{words.premium(words.formats.percentage(session.settings.buyer_premium_percentage))}</span>
      </footer>
    </section>
  )
})

const further = textNames.filter((name) => name !== 'title')

/** The texts of a lot below its title. The description needs no label. */
function Texts({ lot, words, house, hasLabels = false }: Of & { hasLabels?: boolean }) {
  const { labelOf, language, locale } = words
  const item = itemOf(lot)
  if (item === null) return null
  const texts = readTexts(item, locale, house.locale)
  const isLabelled = (name: TextName) => hasLabels && name !== 'description'
  return further.map((name) => {
    const { [name]: found } = texts
    return (
      found && (
        <p key={name} className="print-text" lang={found.locale} dir="auto">
          {isLabelled(name) && <span lang={language}>{labelOf(name)} </span>}
          {found.text}
        </p>
      )
    )
  })
}

/** A line of the catalogue list. */
export const ListLine = memo(function ListLine(of: Of) {
  const { lot, words } = of
  return (
    <tr>
      <td className="print-number">{lot.lot_number}</td>
      <td>
        <b>
          <Title {...of} />
        </b>
        <Texts {...of} />
      </td>
      <td className="print-amount">{estimateOf(lot, words)}</td>
    </tr>
  )
})
