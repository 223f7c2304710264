import type { ItemId } from '@auction-catalogue/client'
import { useParams, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { usePermissions, type Item, type Permission } from '../../api/index.ts'
import { useItem } from '../../api/single.ts'
import { Forbidden, Problem } from '../../parts/problem.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { NewItemDesk } from './new-item.tsx'
import { OldItemDesk } from './old-item.tsx'
import '../../styles/lot.css'
import '../../styles/staff.css'
import '../../styles/cataloguing.css'

const needed: Permission[] = ['staff', 'lots.read', 'lots.write']

/** The first permission that the key lacks for the desk of the cataloguer. */
function useLack(): Permission | undefined {
  const { may } = usePermissions()
  return needed.find((each) => !may.includes(each))
}

/** The desk of the cataloguer for new items. */
export function CataloguePage() {
  const lack = useLack()
  const { like } = useSearch({ from: '/catalogue' })
  if (lack !== undefined) return <Forbidden permission={lack} />
  return (
    <div className="page wide">
      {like === undefined ? <NewItemDesk like={null} /> : <Known key={like} id={like} desk={CopyDesk} />}
    </div>
  )
}

const CopyDesk = ({ item }: { item: Item }) => <NewItemDesk like={item} />

/** The desk of the cataloguer for an item. */
export function EditPage() {
  const lack = useLack()
  const { item: id } = useParams({ from: '/catalogue/$item' })
  if (lack !== undefined) return <Forbidden permission={lack} />
  return (
    <div className="page wide">
      <Known key={id} id={id} desk={OldItemDesk} />
    </div>
  )
}

/** A desk for an item, once it is there. */
function Known({ id, desk: Desk }: { id: ItemId; desk: ComponentType<{ item: Item; etag: string | null }> }) {
  const texts = useTexts()
  const { item, etag, error, refetch } = useItem(id)
  if (item) return <Desk item={item} etag={etag} />
  return error ? <Problem error={error} retry={() => void refetch()} /> : <p className="quiet">{texts.loading}</p>
}
