import { CatalogueError, etag, type Session, type TimedSession } from '@auction-catalogue/client'
import { catalogue, connection, store, useLots, type Lot } from '../../api/index.ts'
import { useFormats, useTimeZone } from '../../formats.ts'
import { TableHead } from '../../parts/table-head.tsx'
import { foretellCloses } from '../../session/times.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { StepOf } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Past } from './past.tsx'
import { SessionFields } from './session-fields.tsx'
import { readChange } from './terms.ts'

const noLots: Lot[] = []
// The service takes no opening that is nearer than this.
const lead = 5 * 60_000
const minute = 60_000

/** Changes title, times, premium and strategy of a session, and shows its schedule before and after. */
export function useTermsStep(session: Session): StepOf {
  const own = useStaffTexts().preparing
  const timeZone = useTimeZone()
  const formats = useFormats()
  return {
    title: own.changeTerms,
    name: own.change,
    label: own.changeTerms,
    fields: <SessionFields session={session} />,
    run: async (answers, dryRun, once) => {
      const before = await once(() => catalogue().sessions.get(session.id))
      // Compared with what the fields showed: what another person changed since then stays.
      const body = readChange(session, answers, timeZone, own.noSuchTime)
      if (Object.keys(body).length === 0) throw own.nothingChanged
      const update = catalogue().staff.sessions.update(session.id, body, { dryRun, ifMatch: before[etag]! })
      const changed = await update.catch((error: unknown) => {
        const earliest = connection.clock.now() + lead
        // A stored opening that is as near stands in the way itself.
        const isNear = before.opens_at !== null && Date.parse(before.opens_at) < earliest
        const isTooSoon =
          !isNear &&
          error instanceof CatalogueError &&
          error.reason === 'opens_soon' &&
          Date.parse(body.opens_at ?? '') < earliest
        // A whole minute, and one to type it.
        throw isTooSoon ? own.opensTooSoon(formats.exact((Math.ceil(earliest / minute) + 1) * minute)) : error
      })
      if (!dryRun) {
        void store.invalidateQueries({ queryKey: ['session', session.id] })
        void store.invalidateQueries({ queryKey: ['auctions'] })
      }
      return (
        <>
          <Past of={changed} />
          <Difference before={before} after={changed} />
        </>
      )
    },
  }
}

// So many closes are listed before and after the change; the last one always is.
const most = 12

/** The opening and the closes of a session before and after a change. */
function Difference({ before, after }: { before: Session; after: Session }) {
  const lots = useLots(before.id).data?.lots ?? noLots
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const formats = useFormats()
  const time = (at: string | number | null | undefined) => (at == null ? '–' : formats.exact(at))
  const isTimed = before.kind === 'timed' && after.kind === 'timed'
  const rows: [name: string, before: string, after: string][] = [
    [own.opensAt, time(before.opens_at), time(after.opens_at)],
    ...(before.kind === 'live' && after.kind === 'live'
      ? [[own.closesAt, time(before.live.closes_at), time(after.live.closes_at)] as [string, string, string]]
      : []),
  ]
  // Only lots that are on close; before any is, all of them are foretold.
  const on = lots.filter(({ active }) => active)
  const closing = on.length > 0 ? on : lots
  if (isTimed) {
    const [old, next] = [before, after].map((each) => new Map(closesOf(each, closing)))
    const shown = closing.length > most ? [...closing.slice(0, most - 1), closing.at(-1)!] : closing
    for (const lot of shown)
      rows.push([texts.lot(String(lot.lot_number ?? '–')), time(old!.get(lot)), time(next!.get(lot))])
  }
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label={own.beforeAndAfter}>
      <table>
        <TableHead names={['', own.before, own.after]} />
        <tbody>
          {rows.map(([name, old, next]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{old}</td>
              <td>{next === old ? own.same : next}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isTimed && closing.length > most && <p className="quiet">{own.firstAndLast(closing.length)}</p>}
    </div>
  )
}

const closesOf = (session: TimedSession, lots: Lot[]) =>
  foretellCloses(session, lots).map(({ lot, scheduled }): [Lot, number] => [lot, scheduled])
