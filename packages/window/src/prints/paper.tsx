import type { LotId, Session } from '@auction-catalogue/client'
import type { ReactNode } from 'react'
import { useHouse, type Lot } from '../api/index.ts'
import { useNow } from '../parts/clock.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { ListLine, LotPage } from './catalogue.tsx'
import { BookLine, ResultLine, Sums } from './saleroom.tsx'
import { useWords } from './words.ts'

export const papers = ['pages', 'list', 'book', 'results'] as const
export type Paper = (typeof papers)[number]

type Of = { session: Session; lots: Lot[]; locale: string }

/** The lots of a session on paper. `numbers` has the numbers of all lots of the session. */
export function PaperOf(props: Of & { paper: Paper; numbers: ReadonlyMap<LotId, number | null> }) {
  const { paper, session, lots, locale, numbers } = props
  const words = useWords(locale)
  const { lot, title, estimate, startingBid, highestBid, paddle, price, notes, result } = words
  const house = useHouse()!
  const { service: now } = useNow(false)
  const isClosed = ({ closes_at }: Lot) => session.finished || (closes_at !== null && Date.parse(closes_at) <= now)
  if (paper === 'pages')
    return lots.map((each) => <LotPage key={each.id} lot={each} words={words} house={house} session={session} />)
  if (paper === 'list')
    return (
      <Table names={[lot, title, estimate]} amounts={[estimate]}>
        {lots.map((each) => (
          <ListLine key={each.id} lot={each} words={words} house={house} />
        ))}
      </Table>
    )
  if (paper === 'book')
    return (
      <Table
        names={[lot, '', title, estimate, startingBid, highestBid, price, paddle, notes]}
        amounts={[estimate, startingBid, highestBid]}
      >
        {lots.map((each) => (
          <BookLine key={each.id} lot={each} words={words} house={house} />
        ))}
      </Table>
    )
  return (
    <>
      <Table names={[lot, title, price, result]} amounts={[price]}>
        {lots.map((each) => (
          <ResultLine
            key={each.id}
            lot={each}
            words={words}
            house={house}
            carrier={(each.result?.with && numbers.get(each.result.with)) ?? null}
            isClosed={isClosed(each)}
          />
        ))}
      </Table>
      <Sums session={session} lots={lots} locale={locale} />
    </>
  )
}

/** The head of a paper: the house, the sale, and what the paper is. */
export function PaperHead({ paper, session, locale }: { paper: Paper; session: Session; locale: string }) {
  const { formats, papers: names, premium } = useWords(locale)
  const house = useHouse()!
  const facts = [
    session.opens_at && formats.dayTime(session.opens_at),
    premium(formats.percentage(session.settings.buyer_premium_percentage)),
  ]
  return (
    <header className="print-head">
      <p>{house.name}</p>
      <h2 dir="auto">{session.title}</h2>
      <p>
        <b>{names[paper]}</b> · {facts.filter(Boolean).join(' · ')}
      </p>
    </header>
  )
}

function Table({ names, amounts, children }: { names: string[]; amounts: string[]; children: ReactNode }) {
  return (
    <table>
      <TableHead names={names} amounts={amounts} />
      <tbody>{children}</tbody>
    </table>
  )
}
