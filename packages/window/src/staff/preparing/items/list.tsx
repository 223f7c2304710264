import type { ItemId } from '@auction-catalogue/client'
import { Link, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { leadOf, useMay } from '../../../api/index.ts'
import { useFormats } from '../../../formats.ts'
import { Photograph } from '../../../parts/photograph.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { TableHead } from '../../../parts/table-head.tsx'
import { TakenAs } from '../../../search/taken.tsx'
import { useSettings } from '../../../settings.ts'
import { textLabels } from '../../../texts/items.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { Steps } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'
import { useAddLots, usePrepared } from '../lots/add-lots.tsx'
import { useChangeMany } from './change-many.tsx'
import { useChosenColumns } from './columns.tsx'
import { ItemFilters } from './filters.tsx'
import { useItems } from './found-items.ts'

/** The items of the house that a search and filters leave. Those that are chosen are changed, or added to a sale. */
export function Items() {
  const { preparing: own, cataloguing } = useStaffTexts()
  const texts = useTexts()
  const formats = useFormats()
  const { language } = useSettings()
  const search = useSearch({ from: '/prepare/items' })
  const mayWrite = useMay('lots.write')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useItems(search)
  const columns = useChosenColumns()
  const [chosen, setChosen] = useState<ReadonlySet<ItemId>>(new Set())
  const tools = useRef<HTMLDivElement>(null)
  const items = data?.pages.flatMap((page) => page.data) ?? []
  const [first] = data?.pages ?? []
  const selected = items.filter(({ id }) => chosen.has(id))
  const clear = () => setChosen(new Set())
  const wanted = usePrepared().find(({ session }) => session.id === search.session)
  const add = useAddLots(selected, search.session, clear)
  const change = useChangeMany(selected, clear)
  const toggle = (id: ItemId) =>
    setChosen(chosen.has(id) ? new Set([...chosen].filter((each) => each !== id)) : new Set([...chosen, id]))
  return (
    <>
      {wanted && <p>{own.itemsFor(wanted.name)}</p>}
      <div className="toolbar">
        <ItemFilters />
        {mayWrite && <Link to="/catalogue">{cataloguing.catalogueItem}</Link>}
        <div ref={tools} className="switching" role="group" aria-label={texts.select}>
          {items.length > 0 && (
            <button type="button" onClick={() => setChosen(new Set(items.map(({ id }) => id)))}>
              {texts.selectAll(items.length)}
            </button>
          )}
          {selected.length > 0 && (
            <>
              <b role="status">{texts.selected(selected.length)}</b>
              <Steps steps={[{ ...add, label: own.addToSale }, ...(mayWrite ? [change] : [])]} />
              <button
                type="button"
                className="plain"
                onClick={() => {
                  flushSync(clear)
                  tools.current!.querySelector('button')?.focus()
                }}
              >
                {texts.clearSelection}
              </button>
            </>
          )}
        </div>
        {first && first.total > items.length && (
          <p className="quiet">{own.itemsOf(items.length, formats.number(first.total), first.totalCapped)}</p>
        )}
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <p className="quiet">{texts.loading}</p>}
      {first && <TakenAs taken={first} />}
      {data && items.length === 0 && !hasNextPage && <p className="quiet">{own.noItems}</p>}
      {items.length > 0 && (
        <div className="scrolls" tabIndex={0} role="region" aria-label={own.items}>
          <table className="results cards">
            <TableHead names={['', '', textLabels.title[language], ...columns.map(({ label }) => label), '']} />
            <tbody>
              {items.map((item) => {
                const name = item.external_reference ?? item.title
                return (
                  <tr key={item.id}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={own.selectItem(name)}
                        checked={chosen.has(item.id)}
                        onChange={() => toggle(item.id)}
                      />
                    </td>
                    <td className="tiny">
                      <Photograph image={leadOf(item)} isDecoration sizes="64px" />
                    </td>
                    <td className="long-title">
                      <Link
                        to={mayWrite ? '/catalogue/$item' : '/items/$item'}
                        params={{ item: item.id }}
                        preload={false}
                        dir="auto"
                      >
                        {item.title}
                      </Link>
                    </td>
                    {columns.map(({ name: column, label, cell, isWhole }) => (
                      <td key={column} data-name={label} className={isWhole ? 'whole' : undefined}>
                        {cell(item)}
                      </td>
                    ))}
                    <td>
                      {mayWrite && (
                        <Link
                          to="/catalogue"
                          search={{ like: item.id }}
                          preload={false}
                          aria-label={own.duplicateOf(name)}
                        >
                          {own.duplicate}
                        </Link>
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      {hasNextPage && (
        <button type="button" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          {own.moreItems}
        </button>
      )}
    </>
  )
}
