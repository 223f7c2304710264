import type { Session } from '@auction-catalogue/client'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type MouseEvent } from 'react'
import { useLots, useSession } from '../api/index.ts'
import { useFormats, useTimeZone } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { useWidth } from '../parts/width.ts'
import { stateOf } from '../sales/state.ts'
import { useSettings } from '../settings.ts'
import { textLabels } from '../texts/items.ts'
import { useTexts } from '../texts/texts.tsx'
import { useSoFar } from './so-far.ts'
import { foretellCloses, readCloses, ticksBetween, type Close } from './times.ts'

/** The closing times of a session as a plot, and the extended lots as a table. */
export function Schedule() {
  const texts = useTexts()
  const formats = useFormats()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  const soFar = useSoFar(id)
  const { service: now } = useNow()
  const [isAll, setAll] = useState(true)
  if (!data || !session) return <p className="quiet">{texts.loading}</p>
  if (session.kind === 'live') {
    const closes = session.live.closes_at
    return <p>{closes ? texts.scheduleLive(formats.exact(closes)) : texts.scheduleNone}</p>
  }
  const isDraft = stateOf(session, now) === 'draft'
  const closes = isDraft
    ? foretellCloses(session, isAll ? data.lots : data.lots.filter((lot) => lot.active))
    : readCloses(data.lots, session.timed.group_size || 1)
  const without = isDraft ? 0 : data.lots.length - closes.length
  const extended = closes.filter(({ actual, scheduled }) => actual !== scheduled)
  return (
    <section className="schedule" aria-label={texts.scheduleTitle}>
      {isDraft ? (
        <p>
          {texts.scheduleDraft}{' '}
          <select
            aria-label={texts.scheduleDraft}
            value={String(isAll)}
            onChange={({ target }) => setAll(target.value === 'true')}
          >
            <option value="true">{texts.scheduleDraftAll}</option>
            <option value="false">{texts.scheduleDraftActive}</option>
          </select>
        </p>
      ) : (
        <p className="quiet">{texts.scheduleHelp}</p>
      )}
      {soFar && <p className="quiet">{soFar}</p>}
      {without > 0 && <p className="quiet">{texts.scheduleWithout(without)}</p>}
      {closes.length === 0 ? <p>{texts.scheduleNone}</p> : <Plot closes={closes} session={session} now={now} />}
      {closes.length > 0 && <Facts closes={closes} />}
      {extended.length > 0 && <Extensions closes={extended} session={session} />}
    </section>
  )
}

const margin = { left: 56, right: 20, top: 12, bottom: 34 }

function Plot({ closes, session, now }: { closes: Close[]; session: Session; now: number }) {
  const texts = useTexts()
  const formats = useFormats()
  const timeZone = useTimeZone()
  const navigate = useNavigate()
  const [place, setPlace] = useState<number | null>(null)
  const [frame, room] = useWidth<HTMLDivElement>()
  // The plot is larger on large screens, like the letters of the page.
  const scale = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
  const width = room / scale
  const height = Math.max(240, Math.min(560, closes.length * 12 + margin.top + margin.bottom))
  const times = closes.flatMap(({ scheduled, actual }) => [scheduled, actual])
  const [from, to] = minMax(times)
  const edge = Math.max(60_000, (to - from) * 0.03)
  const [start, end] = [from - edge, to + edge]
  const x = (time: number) => margin.left + ((time - start) / (end - start)) * (width - margin.left - margin.right)
  const y = (index: number) => margin.top + ((index + 0.5) / closes.length) * (height - margin.top - margin.bottom)
  const radius = Math.max(1.5, Math.min(4.5, (height - 60) / closes.length / 2.4))
  const marks = (is: (close: Close) => boolean) =>
    closes
      .flatMap((close, index) => (is(close) ? [`M${x(close.actual).toFixed(1)} ${y(index).toFixed(1)}h0`] : []))
      .join('')
  const rowStep = Math.max(1, Math.ceil(closes.length / 12))
  const findRow = ({ clientY, currentTarget }: MouseEvent<SVGElement>) => {
    const top = currentTarget.getBoundingClientRect().top + margin.top * scale
    const part = (clientY - top) / scale / (height - margin.top - margin.bottom)
    return Math.max(0, Math.min(closes.length - 1, Math.floor(part * closes.length)))
  }
  // Until the user chooses a lot, the plot shows the one that closes next.
  const next = Math.max(
    0,
    closes.findIndex(({ actual }) => actual > now),
  )
  const index = Math.min(place ?? next, closes.length - 1)
  const { lot, actual } = closes[index]!
  const words = `${texts.lot(String(lot.lot_number))}: ${lot.title}, ${formats.exact(actual)}`
  const addressOf = (row: number) =>
    ({ to: '/sessions/$session/lots/$lot', params: { session: session.id, lot: closes[row]!.lot.id } }) as const
  const open = (row: number) => void navigate(addressOf(row))
  const ticks = ticksBetween(start, end, Math.max(2, Math.floor(width / 110)), timeZone)
  return (
    <>
      <div ref={frame} className="plot" style={{ height: height * scale }}>
        {width > 0 && (
          <svg
            width={room}
            height={height * scale}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-label={`${texts.scheduleTitle}: ${formats.dayTime(from)} – ${formats.dayTime(to)}`}
            onPointerMove={(event) => setPlace(findRow(event))}
            onClick={(event) => open(findRow(event))}
          >
            <path className="chosen" d={`M${margin.left} ${y(index)}H${width - margin.right}`} />
            {ticks.map((tick, index) => (
              <g key={tick}>
                <path className="grid" d={`M${x(tick)} ${margin.top}V${height - margin.bottom}`} />
                <text x={x(tick)} y={height - 16} textAnchor="middle">
                  {formats.time(tick)}
                </text>
                {(index === 0 || !formats.isSameDay(tick, ticks[index - 1]!)) && (
                  <text x={x(tick)} y={height - 2} textAnchor="middle" className="quiet">
                    {formats.day(tick)}
                  </text>
                )}
              </g>
            ))}
            {closes.map(({ lot }, index) =>
              index % rowStep === 0 ? (
                <text key={lot.id} x={margin.left - 12} y={y(index) + 4} textAnchor="end">
                  {lot.lot_number}
                </text>
              ) : null,
            )}
            {closes.map(({ lot, scheduled, actual }, index) =>
              scheduled === actual ? null : (
                <g key={lot.id} className="extension">
                  <title>{`${texts.lot(String(lot.lot_number))}: ${formats.time(scheduled)} → ${formats.time(actual)}`}</title>
                  <path d={`M${x(scheduled)} ${y(index)}H${x(actual)}`} />
                  <circle cx={x(scheduled)} cy={y(index)} r={radius * 0.6} />
                </g>
              ),
            )}
            <path className="past" strokeWidth={radius * 2} d={marks(({ actual }) => actual <= now)} />
            <path className="coming" strokeWidth={radius * 2} d={marks(({ actual }) => actual > now)} />
            {now > start && now < end && (
              <g className="now">
                <path d={`M${x(now)} ${margin.top}V${height - margin.bottom}`} />
                <text x={x(now) + 6} y={margin.top + 10}>
                  {texts.now}
                </text>
              </g>
            )}
          </svg>
        )}
      </div>
      <div className="chosen-lot">
        <input
          type="range"
          min={0}
          max={closes.length - 1}
          value={index}
          aria-label={texts.scheduleLot}
          aria-valuetext={words}
          onChange={(event) => setPlace(event.target.valueAsNumber)}
          onKeyDown={(event) => event.key === 'Enter' && open(index)}
        />
        <Link {...addressOf(index)}>{words}</Link>
      </div>
    </>
  )
}

const minMax = (values: number[]): [number, number] => [
  values.reduce((one, other) => Math.min(one, other)),
  values.reduce((one, other) => Math.max(one, other)),
]

function Facts({ closes }: { closes: Close[] }) {
  const texts = useTexts()
  const formats = useFormats()
  const [from, to] = minMax(closes.map(({ actual }) => actual))
  return (
    <dl className="facts-list">
      <dt>{texts.firstClose}</dt>
      <dd>{formats.exact(from)}</dd>
      <dt>{texts.lastClose}</dt>
      <dd>{formats.exact(to)}</dd>
      <dt>{texts.group}</dt>
      <dd>{closes.at(-1)!.group + 1}</dd>
    </dl>
  )
}

function Extensions({ closes, session }: { closes: Close[]; session: Session }) {
  const texts = useTexts()
  const { language } = useSettings()
  const formats = useFormats()
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label={texts.extendedLots(closes.length)}>
      <table>
        <caption>{texts.extendedLots(closes.length)}</caption>
        <TableHead
          names={[texts.lot(''), textLabels.title[language], texts.scheduled, texts.closes, texts.difference]}
        />
        <tbody>
          {closes.map(({ lot, scheduled, actual }) => (
            <tr key={lot.id}>
              <td>{lot.lot_number}</td>
              <td>
                <Link to="/sessions/$session/lots/$lot" params={{ session: session.id, lot: lot.id }}>
                  {lot.title}
                </Link>
              </td>
              <td>{formats.time(scheduled)}</td>
              <td>{formats.time(actual)}</td>
              <td>{formats.duration(actual - scheduled)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
