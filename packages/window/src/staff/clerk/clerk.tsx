import type { Session } from '@auction-catalogue/client'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { readTyped } from '../../amounts.ts'
import { itemOf, leadOf, useHouse, readNumber, useLots, type Lot, type Lots } from '../../api/index.ts'
import { useIncrements } from '../../api/single.ts'
import { useFormats } from '../../formats.ts'
import { useNow } from '../../parts/clock.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Photograph, useAlt } from '../../parts/photograph.tsx'
import { Notice } from '../../session/lot-card.tsx'
import { useSoFar } from '../../session/so-far.ts'
import { useSettings } from '../../settings.ts'
import { useTexts } from '../../texts/texts.tsx'
import { decide, isSameResult, sendWaiting, type Decision, type Outcome } from '../decisions.ts'
import { findDoubts, type Doubt } from './doubts.ts'
import { Log } from './log.tsx'
import { AskNumber, AskWithdrawal } from './questions.tsx'
import { findLastDecided, findNext, useStandings } from '../standings.ts'
import { useStaffTexts } from '../texts/texts.ts'
import { useResultWords } from '../words.tsx'
import '../../styles/staff.css'

/** The desk of the clerk in a saleroom: one lot after the other, by keyboard. */
export function Clerk({ session }: { session: Session }) {
  const texts = useTexts()
  const own = useStaffTexts()
  const { data } = useLots(session.id)
  const { service: now } = useNow()
  const { entries } = useStandings(session)
  if (!data || (data.lots.length === 0 && !data.complete)) return <p className="quiet">{texts.loading}</p>
  if (session.finished)
    return (
      <>
        <p>{own.isFinished}</p>
        <Log entries={entries} />
      </>
    )
  if (session.opens_at === null || Date.parse(session.opens_at) > now) return <p>{own.notOpen}</p>
  return <Desk session={session} known={data} />
}

type Letter = 'p' | 'w' | 'r' | 'c' | 'g' | 'z'

function Desk({ session, known }: { session: Session; known: Lots }) {
  const { complete: isComplete, seenTo } = known
  const lots = known.lots.filter((lot) => lot.lot_number !== null)
  const soFar = useSoFar(session.id)
  const texts = useTexts()
  const own = useStaffTexts()
  const formats = useFormats()
  const words = useResultWords()
  const { hasShortcuts, language } = useSettings()
  const { currency } = useHouse()!
  const steps = useIncrements(session) ?? []
  const standings = useStandings(session)
  const { entries, resultOf } = standings
  const input = useRef<HTMLInputElement>(null)
  const [digits, setDigits] = useState('')
  // The lot that the clerk went to, or has begun to type for. Otherwise the next one stands ready.
  const [chosen, setChosen] = useState<string | null>(null)
  const [place, setPlace] = useState(0)
  // What is asked, about the lot and the result that the clerk saw then.
  const [asked, setAsked] = useState<{ letter: 'w' | 'c' | 'g'; lot: Lot | undefined; seen: Outcome } | null>(null)
  // What is done when it is said a second time, and why it was doubted.
  const [doubted, setDoubted] = useState<{ what: string; seen: Outcome; doubts: Doubt[] } | null>(null)
  const [message, setMessage] = useState('')
  const begun = lots.find(({ id }) => id === chosen)
  const lot = begun ?? (chosen && !isComplete ? undefined : findNext({ lots, seenTo }, place, standings))
  const following = lot && findNext({ lots, seenTo }, lot.lot_number!, standings)

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

  const store = (about: Lot, seen: Outcome, decision: Decision) => {
    decide({ session: session.id, lot: about.id, number: about.lot_number, decision, seen })
    begin(null, about.lot_number!)
  }
  const typed: Doubt[] = digits === '' ? [] : ['typed']
  const isDoubted = (what: string, doubts: Doubt[], seen: Outcome = null) => {
    if (doubts.length === 0 || (doubted?.what === what && isSameResult(doubted.seen, seen))) return false
    setDoubted({ what, seen, doubts })
    // What is typed then replaces the doubted price.
    input.current?.select()
    return true
  }
  const record = (decision: Decision, said: string, doubts: Doubt[] = []) => {
    if (!lot) return
    // The clerk answers the doubts that were said, about the result that was seen.
    const what = [lot.id, said, ...doubts].join(' ')
    if (!isDoubted(what, doubts, resultOf(lot))) store(lot, resultOf(lot), decision)
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
    const isRefused = ['refused', 'overtaken'].includes(entries.at(-1)?.state ?? '')
    const doubts: Doubt[] = [...(isRefused ? (['older'] as const) : []), ...typed]
    if (!last || isDoubted(['z', last.lot, ...doubts].join(' '), doubts)) return
    decide({ ...last, decision: { kind: 'back', of: last.of, reason: own.takenBackReason } })
    begin(last.lot, last.number ?? 0)
  }
  const doubtOf = (seen: Outcome) =>
    [...(seen ? (['decided'] as const) : []), ...typed].map((doubt) => own.doubts[doubt]).join(' ')
  const ask = (letter: 'w' | 'c' | 'g') => setAsked({ letter, lot, seen: lot ? resultOf(lot) : null })
  const isDecided = lot !== undefined && resultOf(lot) !== null
  const unseen: Doubt[] = lot && itemOf(lot) === null ? ['unseen'] : []
  const careful: Doubt[] = [...unseen, ...typed]
  const again: Doubt[] = isDecided ? ['decided', ...careful] : careful
  // A lot that is not loaded is read. The clerk answers again.
  const read = useRef(new Map<number, boolean>())
  const find = (wanted: number): Lot | string => {
    const found = lots.find(({ lot_number }) => lot_number === wanted)
    if (found && itemOf(found)) return found
    if (isComplete || read.current.get(wanted)) return found ?? own.noSuchLot
    if (!read.current.has(wanted)) {
      read.current.set(wanted, false)
      readNumber(session.id, wanted).then(
        () => read.current.set(wanted, true),
        () => read.current.delete(wanted),
      )
    }
    return own.notSeen(String(wanted))
  }
  const actions: Record<Letter, () => void> = {
    p: () => record({ kind: 'passed' }, 'p', again),
    w: () => lot && ask('w'),
    r: () => record({ kind: 'referred' }, 'r', careful),
    c: () => lot && ask('c'),
    g: () => ask('g'),
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
  const amount = readTyped(digits, currency, language)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!lot) return
    if (!amount) return setMessage(amount === null ? own.typePrice : own.notAPrice)
    record({ kind: 'sold', amount, currency }, digits, findDoubts(amount, lot, isDecided, steps))
  }
  const press = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const letter = letterOf(event.key)
    // A key that is held down is one press.
    if (event.repeat && (letter || ['Enter', 'Escape'].includes(event.key))) return event.preventDefault()
    if (letter) actions[letter]()
    else if (event.key === 'Escape') {
      setDigits('')
      setDoubted(null)
      setMessage('')
    } else return
    event.preventDefault()
  }
  // The keys also work after a click beside the field.
  useKeys((event) => {
    const letter = hasShortcuts ? letterOf(event.key) : undefined
    if (letter) {
      event.preventDefault()
      if (!event.repeat) actions[letter]()
    } else if (/^[\d.,]$/.test(event.key)) input.current?.focus()
  })
  const hintOf = (ready: Lot) => {
    if (standings.isTakenBack(ready)) return own.takenBackLot(number)
    return begun === undefined && standings.isReferred(ready) && own.onlyHeld
  }
  const item = lot && itemOf(lot)
  const lead = leadOf(item)
  const alt = useAlt(lead, lot?.title ?? '')
  const number = String(lot?.lot_number)
  const none = soFar ?? own.allDecided
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
            {!lot.active && <p className="badge">{texts.off}</p>}
            {standings.isReferred(lot) && <p className="badge">{own.held}</p>}
          </div>
        </section>
      ) : (
        <p className="stand-text">{none}</p>
      )}
      <form
        onSubmit={submit}
        // A double click and a key that is held down are one press.
        onClickCapture={(event) => {
          if (event.detail < 2) return
          event.preventDefault()
          event.stopPropagation()
        }}
        onKeyDown={(event) => {
          if (event.repeat && event.key === 'Enter') event.preventDefault()
        }}
      >
        <label htmlFor="price">{lot ? own.price(number) : none}</label>
        <div className="price">
          <input
            id="price"
            ref={input}
            value={digits}
            inputMode="decimal"
            autoComplete="off"
            aria-describedby="price-help price-doubt"
            aria-invalid={doubted !== null}
            onKeyDown={press}
            onChange={({ target }) => {
              setDigits(target.value.slice(0, 20))
              setDoubted(null)
              setMessage('')
              if (lot) setChosen(lot.id)
            }}
          />
          <output>{amount !== null && !Number.isNaN(amount) && formats.money({ amount, currency })}</output>
          <button type="submit" className="primary">
            {own.recordSold} <kbd>↵</kbd>
          </button>
        </div>
        <p id="price-doubt" className="refusal" role="alert">
          {doubted && `${doubted.doubts.map((doubt) => own.doubts[doubt]).join(' ')} ${own.pressAgain}`}
        </p>
        <p role="status">{message || (lot && hintOf(lot))}</p>
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
      {asked?.letter === 'w' && asked.lot && (
        <AskWithdrawal
          lot={asked.lot.id}
          number={String(asked.lot.lot_number)}
          doubt={doubtOf(asked.seen)}
          onAnswer={(reason) => {
            setAsked(null)
            if (reason !== null) store(asked.lot!, asked.seen, { kind: 'withdrawn', reason: reason.trim() })
          }}
        />
      )}
      {asked?.letter === 'g' && (
        <AskNumber
          title={own.goTo}
          doubt={doubtOf(null)}
          onClose={() => setAsked(null)}
          onAnswer={(wanted) => {
            const found = find(wanted)
            if (typeof found === 'string') return found
            begin(found.id, wanted)
            return null
          }}
        />
      )}
      {asked?.letter === 'c' && asked.lot && (
        <AskNumber
          title={own.togetherTitle(String(asked.lot.lot_number))}
          help={own.togetherHelp}
          doubt={doubtOf(asked.seen)}
          onClose={() => setAsked(null)}
          onAnswer={(wanted) => {
            const found = find(wanted)
            if (typeof found === 'string') return found
            if (found.id === asked.lot!.id) return own.noSuchLot
            const carrier = resultOf(found)
            if (carrier?.state !== 'sold' || carrier.with !== null) return own.notSold
            store(asked.lot!, asked.seen, { kind: 'together', with: found.id, withNumber: wanted })
            return null
          }}
        />
      )}
    </div>
  )
}
