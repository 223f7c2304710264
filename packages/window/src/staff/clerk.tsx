import { decimalsOf, type Session } from '@auction-catalogue/client'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { itemOf, leadOf, useHouse, useIncrements, useLots, type Lot } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { useKeys } from '../parts/keys.ts'
import { Photograph, useAlt } from '../parts/photograph.tsx'
import { Notice } from '../session/lot-card.tsx'
import { useSettings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'
import { decide, sendWaiting, type Decision } from './decisions.ts'
import { findDoubts, type Doubt } from './doubts.ts'
import { Log } from './log.tsx'
import { AskNumber, AskWithdrawal } from './questions.tsx'
import { findLastDecided, findNext, useStandings } from './standings.ts'
import { useStaffTexts } from './texts/texts.ts'
import { useResultWords } from './words.tsx'
import '../styles/staff.css'

/** The desk of the clerk in a saleroom: one lot after the other, by keyboard. */
export function Clerk({ session }: { session: Session }) {
  const texts = useTexts()
  const own = useStaffTexts()
  const { data } = useLots(session.id)
  const { service: now } = useNow()
  if (!data) return <p className="quiet">{texts.loading}</p>
  if (session.finished) return <p>{own.isFinished}</p>
  if (session.opens_at === null || Date.parse(session.opens_at) > now) return <p>{own.notOpen}</p>
  return <Desk session={session} lots={data.lots.filter((lot) => lot.lot_number !== null)} />
}

type Letter = 'p' | 'w' | 'r' | 'c' | 'g' | 'z'

function Desk({ session, lots }: { session: Session; lots: Lot[] }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const words = useResultWords()
  const { hasShortcuts } = useSettings()
  const { currency } = useHouse()!
  const steps = useIncrements(session) ?? []
  const standings = useStandings(session)
  const { entries, resultOf } = standings
  const input = useRef<HTMLInputElement>(null)
  const [digits, setDigits] = useState('')
  // The lot that the clerk went to, or has begun to type for. Otherwise the next one stands ready.
  const [chosen, setChosen] = useState<string | null>(null)
  const [place, setPlace] = useState(0)
  const [asked, setAsked] = useState<'w' | 'c' | 'g' | null>(null)
  // What is done when it is said a second time, and why it was doubted.
  const [doubted, setDoubted] = useState<{ what: string; doubts: Doubt[] } | null>(null)
  const [message, setMessage] = useState('')
  const lot = lots.find(({ id }) => id === chosen) ?? findNext(lots, place, standings)
  const following = lot && findNext(lots, lot.lot_number!, standings)

  useEffect(() => {
    void sendWaiting()
    input.current?.focus()
  }, [])
  useEffect(() => {
    const image = following && leadOf(itemOf(following))
    const source = image?.url ?? image?.preview_url
    if (source) new Image().src = source
  }, [following])
  // The lot that stood ready was decided by another clerk.
  const ready = useRef(lot)
  useEffect(() => {
    const before = lots.find(({ id }) => id === ready.current?.id)
    ready.current = lot
    if (before && before.id !== lot?.id && before.result && !entries.some((entry) => entry.lot === before.id))
      setMessage(own.decidedElsewhere(String(before.lot_number), words(before.result)))
  }, [lot?.id])

  const record = (decision: Decision, what: string, doubts: Doubt[] = []) => {
    if (!lot) return
    if (doubts.length > 0 && doubted?.what !== `${lot.id} ${what}`)
      return setDoubted({ what: `${lot.id} ${what}`, doubts })
    decide({ session: session.id, lot: lot.id, number: lot.lot_number, decision, seen: resultOf(lot) })
    begin(null, lot.lot_number!)
  }
  const begin = (next: string | null, after: number) => {
    setDigits('')
    setDoubted(null)
    setMessage('')
    setChosen(next)
    setPlace(after)
    input.current?.focus()
  }
  const takeBack = () => {
    const last = findLastDecided(entries)
    if (!last) return
    decide({ ...last, decision: { kind: 'back', of: last.of, reason: own.takenBackReason } })
    begin(last.lot, last.number ?? 0)
  }
  const isDecided = lot !== undefined && resultOf(lot) !== ''
  const again: Doubt[] = isDecided ? ['decided'] : []
  const actions: Record<Letter, () => void> = {
    p: () => record({ kind: 'passed' }, 'p', again),
    w: () => lot && setAsked('w'),
    r: () => record({ kind: 'referred' }, 'r'),
    c: () => lot && setAsked('c'),
    g: () => setAsked('g'),
    z: takeBack,
  }
  const names: Record<Letter, string> = {
    p: own.passed,
    w: own.withdraw,
    r: own.refer,
    c: own.together,
    g: own.goTo,
    z: own.takeBack,
  }
  const letterOf = (key: string) => (key.toLowerCase() in actions ? (key.toLowerCase() as Letter) : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = Number(digits) * 10 ** decimalsOf(currency)
    if (!lot) return
    if (amount === 0) return setMessage(own.typePrice)
    record({ kind: 'sold', amount, currency }, digits, findDoubts(amount, lot, isDecided, steps))
  }
  const press = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const letter = letterOf(event.key)
    if (letter) actions[letter]()
    else if (event.key === 'Escape') {
      setDigits('')
      setDoubted(null)
    } else return
    event.preventDefault()
  }
  // The keys also work after a click beside the field.
  useKeys((event) => {
    const letter = hasShortcuts ? letterOf(event.key) : undefined
    if (letter) {
      event.preventDefault()
      actions[letter]()
    } else if (/^\d$/.test(event.key)) input.current?.focus()
  })
  const item = lot && itemOf(lot)
  const lead = leadOf(item)
  const alt = useAlt(lead, lot?.title ?? '')
  const number = String(lot?.lot_number)
  return (
    <div className="clerk">
      {lot ? (
        <section className="stand" aria-label={own.ready(number)}>
          <Photograph image={lead} sizes="(min-width: 900px) 40vw, 100vw" alt={alt} isEager />
          <div className="stand-text">
            <h2>
              <b>{number}</b> <span dir="auto">{lot.title}</span>
            </h2>
            <Notice lot={lot} />
            <dl className="relations">
              <dt>{own.estimate}</dt>
              <dd>{item?.estimate ? formats.estimate(item.estimate) : '–'}</dd>
              <dt>{own.highestBid}</dt>
              <dd>{lot.current_bid ? formats.money(lot.current_bid) : '–'}</dd>
              <dt>{own.startingBid}</dt>
              <dd>{lot.starting_bid ? formats.money(lot.starting_bid) : '–'}</dd>
            </dl>
            {lot.result && <p className="badge">{words(lot.result)}</p>}
            {standings.isReferred(lot) && <p className="badge">{own.held}</p>}
          </div>
        </section>
      ) : (
        <p className="stand">{own.allDecided}</p>
      )}
      <form onSubmit={submit}>
        <label htmlFor="price">{lot ? own.price(number) : own.allDecided}</label>
        <div className="price">
          <input
            id="price"
            ref={input}
            value={digits}
            inputMode="numeric"
            autoComplete="off"
            aria-describedby="price-help price-doubt"
            aria-invalid={doubted !== null}
            onKeyDown={press}
            onChange={({ target }) => {
              setDigits(target.value.replaceAll(/\D/g, '').slice(0, 10))
              setDoubted(null)
              setMessage('')
              if (lot) setChosen(lot.id)
            }}
          />
          <output>{digits && formats.money({ amount: Number(digits) * 10 ** decimalsOf(currency), currency })}</output>
          <button type="submit" className="primary">
            {own.recordSold} <kbd>↵</kbd>
          </button>
        </div>
        <p id="price-doubt" className="refusal" role="alert">
          {doubted && `${doubted.doubts.map((doubt) => own.doubts[doubt]).join(' ')} ${own.pressAgain}`}
        </p>
        <p role="status">{message}</p>
        <div className="clerk-keys">
          {(Object.keys(names) as Letter[]).map((letter) => (
            <button key={letter} type="button" onClick={actions[letter]}>
              {names[letter]} <kbd>{letter}</kbd>
            </button>
          ))}
        </div>
        <p id="price-help" className="quiet">
          {own.clerkHelp}
        </p>
      </form>
      <Log entries={entries} />
      {asked === 'w' && lot && (
        <AskWithdrawal
          number={number}
          onAnswer={(isSure) => {
            setAsked(null)
            if (isSure) record({ kind: 'withdrawn' }, 'w')
          }}
        />
      )}
      {asked === 'g' && (
        <AskNumber
          title={own.goTo}
          onClose={() => setAsked(null)}
          onAnswer={(wanted) => {
            const found = lots.find(({ lot_number }) => lot_number === wanted)
            if (!found) return own.noSuchLot
            begin(found.id, wanted)
            return null
          }}
        />
      )}
      {asked === 'c' && lot && (
        <AskNumber
          title={own.togetherTitle(number)}
          help={own.togetherHelp}
          onClose={() => setAsked(null)}
          onAnswer={(wanted) => {
            const found = lots.find(({ lot_number, id }) => lot_number === wanted && id !== lot.id)
            if (!found) return own.noSuchLot
            if (!/^sold \d* $/.test(resultOf(found))) return own.notSold
            record({ kind: 'together', with: found.id, withNumber: wanted }, `c ${wanted}`)
            return null
          }}
        />
      )}
    </div>
  )
}
