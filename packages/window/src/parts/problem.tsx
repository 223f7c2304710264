import { CatalogueError, type FieldError } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { connection } from '../api/index.ts'
import { useTexts } from '../texts/texts.tsx'
import { useTitle } from './title.ts'

// For these the service says more than a sentence of the window can.
const telling = new Set(['missing-permission', 'payload-too-large', 'validation-failed'])

/** An error in words: those of the window, the details of the service, and the failed request. */
export function Words({ error }: { error: unknown }) {
  const texts = useTexts()
  if (!(error instanceof CatalogueError)) return texts.failedTitle
  const { status, code, reason = '', detail, errors, requestId } = error
  const own = texts.reasons[reason] ?? texts.problems[code]
  // The reasons of a later version are told in its own words.
  const isTelling = own === undefined || telling.has(code) || (reason !== '' && texts.reasons[reason] === undefined)
  return (
    <>
      {own ?? texts.failedTitle}
      {errors?.map((each) => (
        <FieldWords key={`${each.field} ${each.code}`} error={each} />
      ))}
      {!errors && status !== 0 && isTelling && <English text={detail} />}
      {status >= 500 && requestId && ` ${texts.requestId(requestId)}`}
    </>
  )
}

/** The error of a field in words; that of one of many, such as `lots.17`, in those of all of them. */
export function FieldWords({ error: { field, code, message } }: { error: FieldError }) {
  const texts = useTexts()
  const said = texts.fieldErrors[`${field.replace(/\.\d+$/, '')}.${code}`] ?? texts.fieldErrors[code]
  return said ? ` ${said}` : <English text={message} />
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
