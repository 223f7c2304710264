import { locales, type ItemId, type StaffItemFilters } from '@auction-catalogue/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { catalogue, leadOf, useMay, type Item } from '../../api/index.ts'
import { useFormats } from '../../formats.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { readDraft, useKept, useOwnName, writeDraft } from '../../parts/drafts.ts'
import { Photograph } from '../../parts/photograph.tsx'
import { Forbidden, Problem } from '../../parts/problem.tsx'
import { TableHead } from '../../parts/table-head.tsx'
import { useTitle } from '../../parts/title.ts'
import { useSettings } from '../../settings.ts'
import { textLabels } from '../../texts/items.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Stage, Steps } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { useAddLots } from './lots/add-lots.tsx'
import { NewItem } from './new-item.tsx'
import '../../styles/staff.css'

const useItems = (filters: StaffItemFilters) =>
  useInfiniteQuery({
    queryKey: ['staff items', filters],
    queryFn: ({ pageParam: cursor, signal }) =>
      catalogue()
        .staff.items.list({ ...filters, expand: ['images'], limit: 100, cursor }, { signal })
        .page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** The items of the house: made here, found by what they lack, and added to a sale. */
export function ItemsPage() {
  const { preparing: own, cataloguing } = useStaffTexts()
  const isStaff = useMay('staff')
  const mayWrite = useMay('lots.write')
  useTitle(own.items)
  const draft = useOwnName('new item')
  const [kept, setForm] = useKept<{ like: Item | null; begun: number }>(`${draft} form`)
  // A form comes back with what was typed, not empty.
  const [empty] = useState(() => (readDraft(draft) === null ? kept : null))
  const form = kept === empty ? null : kept
  const newButton = useRef<HTMLButtonElement>(null)
  // Text of the form that is not stored, and what would drop it.
  const isTyped = useRef(false)
  const [asked, setAsked] = useState<(() => void) | null>(null)
  const away = useBlocker({
    shouldBlockFn: ({ current, next }) => isTyped.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isTyped.current,
    withResolver: true,
  })
  if (!isStaff) return <Forbidden permission="staff" />
  const ask = (drop: () => void) => (isTyped.current ? setAsked(() => drop) : drop())
  const show = (like: Item | null) => ask(() => setForm({ like, begun: Date.now() }))
  const close = () =>
    ask(() => {
      flushSync(() => setForm(null))
      newButton.current?.focus()
    })
  const answer = (isSure: boolean) => {
    flushSync(() => setAsked(null))
    if (isSure) {
      isTyped.current = false
      writeDraft(draft, null)
    }
    if (isSure) (asked ?? away.proceed)?.()
    else away.reset?.()
  }
  return (
    <div className="page wide">
      <Stage>
        <div className="heading">
          <h1>{own.items}</h1>
          {mayWrite && <Link to="/catalogue">{cataloguing.catalogueItem}</Link>}
          {mayWrite && form === null && (
            <button ref={newButton} type="button" onClick={() => show(null)}>
              {own.newItem}
            </button>
          )}
        </div>
        {form && (
          <NewItem
            key={form.begun}
            like={form.like}
            draft={draft}
            onTyped={(isNow) => (isTyped.current = isNow)}
            onClose={close}
          />
        )}
        <Items {...(mayWrite && { onDuplicate: show })} />
        {(asked || away.status === 'blocked') && <AskDiscard onAnswer={answer} />}
      </Stage>
    </div>
  )
}

/** Asks whether typed text is dropped. */
function AskDiscard({ onAnswer }: { onAnswer: (isSure: boolean) => void }) {
  const texts = useTexts()
  const own = useStaffTexts().preparing
  return (
    <Dialog title={own.newItem} onClose={() => onAnswer(false)}>
      <p>{texts.unsaved}</p>
      <div className="actions">
        <button type="button" onClick={() => onAnswer(false)}>
          {texts.cancel}
        </button>
        <button type="button" className="danger" onClick={() => onAnswer(true)}>
          {texts.discard}
        </button>
      </div>
    </Dialog>
  )
}

function Items({ onDuplicate }: { onDuplicate?: (item: Item) => void }) {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const formats = useFormats()
  const { language } = useSettings()
  const navigate = useNavigate()
  const { offered = 'never', without, session } = useSearch({ from: '/prepare/items' })
  const filters = { ...(offered !== 'all' && { offered }), ...(without && { without }) } as StaffItemFilters
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useItems(filters)
  const [chosen, setChosen] = useState<ReadonlySet<ItemId>>(new Set())
  const tools = useRef<HTMLDivElement>(null)
  const items = data?.pages.flatMap((page) => page.data) ?? []
  const selected = items.filter(({ id }) => chosen.has(id))
  const add = useAddLots(selected, session, () => setChosen(new Set()))
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const filter = (change: { offered?: string; without?: string | undefined }) =>
    void navigate({ to: '/prepare/items', search: { offered, without, session, ...change }, replace: true })
  const toggle = (id: ItemId) =>
    setChosen(chosen.has(id) ? new Set([...chosen].filter((each) => each !== id)) : new Set([...chosen, id]))
  return (
    <>
      <div className="preparing-head">
        <label>
          {own.offered}{' '}
          <select value={offered} onChange={({ target }) => filter({ offered: target.value })}>
            {(['never', 'open', 'unsold', 'sold', 'all'] as const).map((each) => (
              <option key={each} value={each}>
                {own.offeredAs[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {own.without}{' '}
          <select value={without ?? ''} onChange={({ target }) => filter({ without: target.value || undefined })}>
            <option value="">{texts.none}</option>
            <option value="image">{own.lacks.photograph}</option>
            <option value="estimate">{own.lacks.estimate}</option>
            {locales.map((locale) => (
              <option key={locale} value={locale}>
                {names.of(locale)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div ref={tools} className="switching" role="group" aria-label={texts.select}>
        {items.length > 0 && (
          <button type="button" onClick={() => setChosen(new Set(items.map(({ id }) => id)))}>
            {texts.selectAll(items.length)}
          </button>
        )}
        {selected.length > 0 && (
          <>
            <b role="status">{texts.selected(selected.length)}</b>
            <Steps steps={[{ ...add, label: own.addToSale }]} />
            <button
              type="button"
              className="plain"
              onClick={() => {
                flushSync(() => setChosen(new Set()))
                tools.current!.querySelector('button')?.focus()
              }}
            >
              {texts.clearSelection}
            </button>
          </>
        )}
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <p className="quiet">{texts.loading}</p>}
      {data && items.length === 0 && !hasNextPage && <p className="quiet">{own.noItems}</p>}
      {items.length > 0 && (
        <div className="scrolls" tabIndex={0} role="region" aria-label={own.items}>
          <table className="results">
            <TableHead names={['', '', texts.reference, textLabels.title[language], texts.estimate, '']} />
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
                      <Photograph image={leadOf(item)} isDecoration sizes="48px" />
                    </td>
                    <td>{item.external_reference}</td>
                    <td>
                      <Link to="/items/$item" params={{ item: item.id }} preload={false} dir="auto">
                        {item.title}
                      </Link>
                    </td>
                    <td>{item.estimate ? formats.estimate(item.estimate) : ''}</td>
                    <td>
                      {onDuplicate && (
                        <button type="button" aria-label={own.duplicateOf(name)} onClick={() => onDuplicate(item)}>
                          {own.duplicate}
                        </button>
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
