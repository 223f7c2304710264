import type { ReactNode } from 'react'
import { catalogue, useMay, type Item } from '../../../api/index.ts'
import { useNamed } from '../../../api/single.ts'
import { useFormats } from '../../../formats.ts'
import { changeSettings, useSettings } from '../../../settings.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { useStaffTexts } from '../../texts/texts.ts'

const all = ['reference', 'estimate', 'consignment', 'seller', 'makers', 'categories', 'delivery', 'made'] as const
type Name = (typeof all)[number]
const usual: readonly string[] = ['reference', 'estimate']

/** A column of the list beside the photograph and the title. */
export type Column = {
  name: Name
  label: string
  cell: (item: Item) => ReactNode
  /** Whether it stays on one line. */
  isWhole?: boolean
}

/** The columns that the key may read. */
function useColumns(): Column[] {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const formats = useFormats()
  const mayReadSellers = useMay('seller_profiles.read')
  const mayReadCategories = useMay('categories.read')
  const { sellers, consignments, makers, categories, deliveryClasses } = catalogue()
  const columns: Record<Name, Omit<Column, 'name'> | false> = {
    reference: { label: texts.reference, cell: (item) => item.external_reference, isWhole: true },
    estimate: { label: texts.estimate, cell: ({ estimate }) => estimate && formats.estimate(estimate), isWhole: true },
    consignment: mayReadSellers && {
      label: texts.consignment,
      cell: ({ consignment: id }) => id && <NameOf id={id} read={(each) => consignments.get(each)} />,
    },
    seller: mayReadSellers && {
      label: texts.seller,
      cell: ({ seller: id }) => id && <NameOf id={id} read={(each) => sellers.get(each)} />,
    },
    makers: {
      label: texts.makers,
      cell: (item) => item.makers.map((id) => <NameOf key={id} id={id} read={(each) => makers.get(each)} />),
    },
    categories: mayReadCategories && {
      label: texts.categories,
      cell: (item) => item.categories.map((id) => <NameOf key={id} id={id} read={(each) => categories.get(each)} />),
    },
    delivery: {
      label: texts.deliveryClass,
      cell: ({ delivery_class: id }) => id && <NameOf id={id} read={(each) => deliveryClasses.get(each)} />,
    },
    made: { label: own.made, cell: ({ created_at: at }) => at && formats.day(at) },
  }
  return all.flatMap((name) => (columns[name] ? [{ name, ...columns[name] }] : []))
}

/** The chosen columns. */
export function useChosenColumns(): Column[] {
  const { itemColumns = usual } = useSettings()
  return useColumns().filter(({ name }) => itemColumns.includes(name))
}

type Named = { name?: string | null; number?: string }

function NameOf<Id extends string>({ id, read }: { id: Id; read: (id: Id) => Promise<Named> }) {
  const { data } = useNamed(id, read)
  return (
    <span className="one" dir="auto">
      {data?.name ?? data?.number ?? ''}
    </span>
  )
}

/** The choice of the columns, which this browser keeps. */
export function ColumnChoice() {
  const own = useStaffTexts().preparing
  const columns = useColumns()
  const { itemColumns = usual } = useSettings()
  return (
    <details className="column-choice">
      <summary>{own.columns}</summary>
      {columns.map(({ name, label }) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={itemColumns.includes(name)}
            onChange={({ target }) =>
              changeSettings({
                itemColumns: target.checked ? [...itemColumns, name] : itemColumns.filter((each) => each !== name),
              })
            }
          />
          {label}
        </label>
      ))}
    </details>
  )
}
