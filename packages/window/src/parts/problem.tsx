import { CatalogueError, type FieldError, type LotId, type StateConflict } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { connection, knownLot } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { useTexts } from '../texts/texts.tsx'
import { useTitle } from './title.ts'

// What the service names may be unknown to this version of the window.
const find = <Words,>(table: Record<string, Words>, name: string): Words | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** An error in the words of the window. What only a later version of the service knows is told in its own words. */
export function Words({ error }: { error: unknown }) {
  const texts = useTexts()
  if (!(error instanceof CatalogueError)) return texts.failedTitle
  const { status, code, reason, count, conflicts, permission, errors, requestId, detail } = error
  if (conflicts) return <Causes conflicts={conflicts} count={count ?? conflicts.length} />
  const what = find(texts.refusals.problems, code)
  const why = reason !== undefined && <Why reason={reason} detail={detail} count={count} other={what} />
  return (
    <>
      {why || (what ?? texts.failedTitle)}
      {permission !== undefined && ` ${texts.lacks(permission)}`}
      {errors?.map((each) => (
        <FieldWords key={`${each.field} ${each.code}`} error={each} />
      ))}
      {!why && what === undefined && status !== 0 && <English text={detail} />}
      {status >= 500 && requestId && ` ${texts.requestId(requestId)}`}
    </>
  )
}

/** A reason in words. Of one that only a later version of the service knows: `other`, and the sentence of the service. */
export function Why(
  props: Pick<StateConflict, 'reason' | 'detail'> & { count?: number | undefined; other?: string | undefined },
) {
  const { reason, detail, count, other } = props
  const { refusals } = useTexts()
  const said = find(refusals.reasons, reason)
  if (said !== undefined) return typeof said === 'function' ? said(count) : said
  return (
    <>
      {other}
      <English text={detail} />
    </>
  )
}

/** Each cause of a refused write of many records, with the lots that it holds for. */
function Causes({ conflicts, count }: { conflicts: readonly StateConflict[]; count: number }) {
  const texts = useTexts()
  return (
    <>
      {[...Map.groupBy(conflicts, ({ reason }) => reason)].map(([reason, each]) => {
        const lots = each.flatMap(({ record }) => knownLot(record as LotId) ?? [])
        return (
          <span key={reason}>
            <Why {...each[0]!} />
            {lots.map(({ id, session, lot_number }, index) => (
              <span key={id}>
                {index === 0 ? ' ' : ', '}
                <Link to="/sessions/$session/lots/$lot" params={{ session, lot: id }}>
                  {texts.lot(String(lot_number ?? texts.noNumber))}
                </Link>
              </span>
            ))}{' '}
          </span>
        )
      })}
      {count > conflicts.length && texts.andMore(count - conflicts.length)}
    </>
  )
}

/** The error of a field in words; that of one of many, such as `lots.17` or `results.17.lot`, in those of one. */
export function FieldWords({ error: { field, code, message, minimum, lot } }: { error: FieldError }) {
  const { refusals } = useTexts()
  const formats = useFormats()
  if (minimum) return ` ${refusals.atLeast(formats.money(minimum))}`
  const isOfLot = lot !== undefined || /^lots\.\d+$/.test(field)
  const special = find(refusals.fields, `${isOfLot ? 'lot' : field.replace(/^\w+\.\d+\./, '')}.${code}`)
  if (special) return ` ${special}`
  const said = find(refusals.fieldErrors, code)
  if (!said) return <English text={message} />
  return field === '' ? ` ${said}` : ` ${field}: ${said}`
}

/** Words of the service, which only speaks English. */
const English = ({ text }: { text: string }) => <span lang="en"> {text}</span>

/** A page, or a part of it, that cannot be shown, with the way on. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const texts = useTexts()
  const { status = 0, code = '', permission, requestId } = error instanceof CatalogueError ? error : {}
  if (status === 404) return <NotFound />
  if (status === 403) return <Forbidden permission={permission} />
  const isDefect = code === 'integrity-unavailable'
  return (
    <section className="problem" role="alert">
      <h2>{isDefect ? texts.defect : texts.failedTitle}</h2>
      <p>{isDefect ? texts.defectHelp : <Words error={error} />}</p>
      {isDefect && requestId && <p className="quiet">{texts.requestId(requestId)}</p>}
      {retry && !isDefect && (
        <button type="button" onClick={retry}>
          {texts.retry}
        </button>
      )}
    </section>
  )
}

/** A page that the key may not see, the permission that it lacks, and the way to another key. */
export function Forbidden({ permission }: { permission: string | undefined }) {
  const texts = useTexts()
  useTitle(texts.forbidden)
  return (
    <section className="problem" role="alert">
      <h2>{texts.forbidden}</h2>
      {permission !== undefined && <p>{texts.lacks(permission)}</p>}
      <button type="button" onClick={() => connection.signOut('other')}>
        {texts.otherKey}
      </button>
    </section>
  )
}

export function NotFound() {
  const texts = useTexts()
  useTitle(texts.notFound)
  return (
    <section className="problem">
      <h1>{texts.notFound}</h1>
      <p>{texts.notFoundHelp}</p>
      <Link to="/">{texts.toSales}</Link>
    </section>
  )
}
