import type { Session } from '@auction-catalogue/client'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { itemOf, useHouse, useLots, useMay, useSession, type Lot } from '../api/index.ts'
import { useDrawn } from '../parts/drawn.ts'
import { Forbidden } from '../parts/problem.tsx'
import { useSettings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'
import { PaperHead, PaperOf, papers } from './paper.tsx'
import { printPaper } from './print.ts'
import { useWords } from './words.ts'
import '../styles/prints.css'

/** What is printed, as the address has it: `paper`, its language, the first and the last number. */
export type PrintSearch = {
  paper?: string | undefined
  language?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** The prints of a session for staff. */
export function PrintsPage() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  const house = useHouse()
  const isStaff = useMay('staff')
  if (!isStaff) return <Forbidden permission="staff" />
  if (!session || !house || !data?.complete) return <p className="quiet">{texts.loading}</p>
  return <Prints session={session} lots={data.lots} own={house.locale} />
}

// In a published session the public does not see a lot that is off.
const isPrinted = (lot: Lot, { published }: Session) =>
  lot.lot_number !== null && (lot.active || !published || lot.result !== null)

/** `own` is the locale of the house. */
function Prints({ session, lots, own }: { session: Session; lots: Lot[]; own: string }) {
  const texts = useTexts()
  const { language: spoken } = useSettings()
  const words = useWords(spoken)
  const search = useSearch({ from: '/sessions/$session/prints' })
  const navigate = useNavigate({ from: '/sessions/$session/prints' })
  const sheet = useRef<HTMLDivElement>(null)
  const locales = [...new Set([own, ...lots.flatMap((lot) => Object.keys(itemOf(lot)?.translations ?? {}))])]
  const paper = papers.find((name) => name === search.paper) ?? 'pages'
  const locale = locales.find((tag) => tag === search.language) ?? own
  const { language: printedIn } = useWords(locale)
  const { from = 0, to = Infinity } = search
  const printed = lots.filter((lot) => isPrinted(lot, session))
  const chosen = printed.filter(({ lot_number: number }) => number! >= from && number! <= to)
  const drawn = useDrawn(chosen.length)
  const left = lots.length - printed.length
  const untranslated = locale === own ? 0 : chosen.filter((lot) => !hasTitle(lot, locale)).length
  const names = new Intl.DisplayNames(spoken, { type: 'language' })
  const choose = (change: PrintSearch) => void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
  const numbers = new Map(lots.map(({ id, lot_number: number }) => [id, number]))
  const range = (name: 'from' | 'to') => (
    <label>
      {words[name]}
      <input
        type="number"
        min={1}
        value={search[name] ?? ''}
        onChange={({ target }) => choose({ [name]: target.value === '' ? undefined : Number(target.value) })}
      />
    </label>
  )
  return (
    <div className="prints">
      <div className="toolbar">
        <label>
          {words.paper}
          <select value={paper} onChange={({ target }) => choose({ paper: target.value })}>
            {papers.map((name) => (
              <option key={name} value={name}>
                {words.papers[name]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.language}
          <select value={locale} onChange={({ target }) => choose({ language: target.value })}>
            {locales.map((tag) => (
              <option key={tag} value={tag}>
                {names.of(tag)}
              </option>
            ))}
          </select>
        </label>
        {range('from')}
        {range('to')}
        <Print
          sheet={sheet}
          name={`${session.title ?? ''} – ${words.papers[paper]}`}
          isReady={drawn === chosen.length}
        />
        <p role="status" className="quiet">
          {drawn < chosen.length ? words.drawing(drawn, chosen.length) : words.lots(chosen.length)}
        </p>
      </div>
      {left > 0 && <p className="quiet print-hint">{words.left(left)}</p>}
      {untranslated > 0 && <p className="quiet print-hint">{words.untranslated(untranslated, names.of(locale)!)}</p>}
      {chosen.length === 0 && <p className="quiet print-hint">{words.none}</p>}
      <div
        ref={sheet}
        className="paper"
        data-paper={paper}
        lang={printedIn}
        tabIndex={0}
        role="region"
        aria-label={words.papers[paper]}
      >
        {paper !== 'pages' && <PaperHead paper={paper} session={session} locale={locale} />}
        <PaperOf paper={paper} session={session} lots={chosen.slice(0, drawn)} locale={locale} numbers={numbers} />
      </div>
    </div>
  )
}

const hasTitle = (lot: Lot, locale: string) => {
  const translations = itemOf(lot)?.translations as Record<string, { title?: string }> | undefined
  return Boolean(translations?.[locale]?.title)
}

/** Prints once all photographs are there. */
function Print({ sheet, name, isReady }: { sheet: RefObject<HTMLElement | null>; name: string; isReady: boolean }) {
  const texts = useTexts()
  const { language } = useSettings()
  const { loading } = useWords(language)
  const [progress, setProgress] = useState<[number, number] | null>(null)
  const controller = useRef(new AbortController())
  useEffect(() => {
    controller.current = new AbortController()
    return () => controller.current.abort()
  }, [])
  const start = async () => {
    if (!isReady || progress) return
    setProgress([0, 0])
    await printPaper(sheet.current!, name, (...counts) => setProgress(counts), controller.current.signal)
    setProgress(null)
  }
  return (
    <>
      <button
        type="button"
        className="primary"
        aria-disabled={!isReady || progress !== null}
        onClick={() => void start()}
      >
        {texts.print}
      </button>
      {progress && (
        <span role="status" className="quiet">
          {loading(...progress)}
        </span>
      )}
    </>
  )
}
