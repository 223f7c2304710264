import { CatalogueError } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/texts.tsx'

/** What is the matter, in words: those of the window, and what the service says beyond them. */
export function problemWords(error: unknown, texts: Texts): string {
  if (!(error instanceof CatalogueError)) return texts.failedTitle
  const own = texts.problems[error.code]
  const said = error.errors ? error.errors.map(({ message }) => message).join(' ') : error.detail
  if (error.status === 0) return own ?? texts.failedTitle
  return [own ?? texts.failedTitle, said].filter(Boolean).join(' ')
}

/** A page or a part of it that cannot be shown, with the way on. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const texts = useTexts()
  const { status = 0, code = '', requestId } = error instanceof CatalogueError ? error : {}
  if (status === 404) return <NotFound />
  const isDefect = code === 'integrity-unavailable'
  return (
    <section className="problem" role="alert">
      <h2>{isDefect ? texts.defect : status === 403 ? texts.forbidden : texts.failedTitle}</h2>
      <p>{isDefect ? texts.defectHelp : problemWords(error, texts)}</p>
      {requestId && <p className="quiet">{texts.requestId(requestId)}</p>}
      {retry && !isDefect && status !== 403 && (
        <button type="button" onClick={retry}>
          {texts.retry}
        </button>
      )}
    </section>
  )
}

export function NotFound() {
  const texts = useTexts()
  return (
    <section className="problem">
      <h1>{texts.notFound}</h1>
      <p>{texts.notFoundHelp}</p>
      <Link to="/">{texts.toSales}</Link>
    </section>
  )
}
