import { locales, type CategoryId, type ConsignmentId, type MakerId } from '@auction-catalogue/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { catalogue, longestSearch, useMay } from '../../../api/index.ts'
import { useNamed } from '../../../api/single.ts'
import { useSettings } from '../../../settings.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { useChoices, useNumberedSellers } from '../../choices.ts'
import { Combobox } from '../../combobox.tsx'
import { useStaffTexts } from '../../texts/texts.ts'
import { ColumnChoice } from './columns.tsx'
import { orders, type ItemsSearch } from './found-items.ts'

const none = () => Promise.resolve({})

/** The name of the record of an address. */
function useNameOf<Id extends string>(
  id: Id | undefined,
  read: (id: Id) => Promise<{ name?: string | null; number?: string }>,
): string {
  const { data } = useNamed(id ?? ('none' as Id), id === undefined ? none : read)
  return id === undefined ? '' : (data?.name ?? data?.number ?? '…')
}

/** What narrows the list of items, its order and its columns. */
export function ItemFilters() {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const { language } = useSettings()
  const search = useSearch({ from: '/prepare/items' })
  const navigate = useNavigate({ from: '/prepare/items' })
  const { offered = 'never', without, seller, consignment, maker, category, sort } = search
  const [wanted, setWanted] = useState<readonly string[]>([])
  const want = (name: string) => () => setWanted((last) => [...last, name])
  const mayReadSellers = useMay('seller_profiles.read')
  const mayReadCategories = useMay('categories.read')
  const { sellers, consignments, makers, categories } = catalogue()
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const choose = (change: ItemsSearch) => void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
  return (
    <div className="filters" role="group" aria-label={texts.filters}>
      <Words />
      <label className="stacked">
        {own.offered}
        <select value={offered} onChange={({ target }) => choose({ offered: target.value })}>
          {(['never', 'open', 'unsold', 'sold', 'all'] as const).map((each) => (
            <option key={each} value={each}>
              {own.offeredAs[each]}
            </option>
          ))}
        </select>
      </label>
      <label className="stacked">
        {own.without}
        <select value={without ?? ''} onChange={({ target }) => choose({ without: target.value || undefined })}>
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
      {mayReadSellers && (
        <>
          <Combobox
            label={texts.seller}
            list={useNumberedSellers(wanted.includes('seller'))}
            chosen={useNameOf(seller, (id) => sellers.get(id))}
            onChoose={(choice) => choose({ seller: choice?.id, consignment: undefined })}
            onFocus={want('seller')}
          />
          <Combobox
            label={texts.consignment}
            list={useChoices<ConsignmentId>('consignment', { seller, isWanted: wanted.includes('consignment') })}
            chosen={useNameOf(consignment, (id) => consignments.get(id))}
            onChoose={(choice) => choose({ consignment: choice?.id })}
            onFocus={want('consignment')}
          />
        </>
      )}
      <Combobox
        label={texts.makers}
        list={useChoices<MakerId>('maker', { isWanted: wanted.includes('maker') })}
        chosen={useNameOf(maker, (id) => makers.get(id))}
        onChoose={(choice) => choose({ maker: choice?.id })}
        onFocus={want('maker')}
      />
      {mayReadCategories && (
        <Combobox
          label={texts.categories}
          list={useChoices<CategoryId>('category', { isWanted: wanted.includes('category') })}
          chosen={useNameOf(category, (id) => categories.get(id))}
          onChoose={(choice) => choose({ category: choice?.id })}
          onFocus={want('category')}
        />
      )}
      <label className="stacked">
        {own.itemOrder}
        <select value={sort ?? ''} onChange={({ target }) => choose({ sort: target.value || undefined })}>
          <option value="">{texts.none}</option>
          {orders.map((each) => (
            <option key={each} value={each}>
              {own.orders[each]}
            </option>
          ))}
        </select>
      </label>
      <ColumnChoice />
    </div>
  )
}

/** The words of the search. The address gets them once typing pauses. */
function Words() {
  const own = useStaffTexts().preparing
  const { q = '' } = useSearch({ from: '/prepare/items' })
  const navigate = useNavigate({ from: '/prepare/items' })
  const [words, setWords] = useState(q)
  useEffect(() => {
    if (words.trim() === q) return undefined
    const timer = setTimeout(() => {
      const next = words.trim() || undefined
      void navigate({ search: (last) => ({ ...last, q: next }), replace: true })
    }, 300)
    return () => clearTimeout(timer)
  }, [words, q, navigate])
  return (
    <label className="stacked">
      {own.searchItems}
      <input
        id="search"
        type="search"
        value={words}
        maxLength={longestSearch}
        onChange={({ target }) => setWords(target.value)}
        autoComplete="off"
      />
    </label>
  )
}
