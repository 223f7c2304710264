import type { ReactNode } from 'react'
import { Problem } from '../parts/problem.tsx'
import { TableHead } from '../parts/table-head.tsx'
import { useStaffTexts } from './texts/texts.ts'

/** A table with a title, which scrolls by itself on a narrow page. A column named '' has no heading. */
export function Table(props: {
  title: string
  error: unknown
  isEmpty: boolean
  names: string[]
  children: ReactNode
}) {
  const { title, error, isEmpty, names, children } = props
  const own = useStaffTexts()
  return (
    <section className="panel">
      <div className="scrolls" tabIndex={0} role="region" aria-label={title}>
        <table className="cards texts">
          <caption>{title}</caption>
          <TableHead names={names} />
          <tbody>{children}</tbody>
        </table>
      </div>
      {isEmpty && <p className="quiet">{own.none}</p>}
      {error !== null && <Problem error={error} />}
    </section>
  )
}
