import { CatalogueError } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useHouse, type Item } from '../../api/index.ts'
import { putWrittenItem } from '../../api/single.ts'
import { findConflicts, printBody, readValues, restOf, saveOver } from '../../lot/draft.ts'
import { loadPart } from '../../parts/load.ts'
import { useTitle } from '../../parts/title.ts'
import { useSettings } from '../../settings.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Desk, Refused } from './desk.tsx'
import { useEditing } from './editing.ts'

const Pictures = lazy(async () => ({ default: (await loadPart(() => import('../../pictures/desk.tsx'))).Desk }))

/** The desk for an item that is there. What another person changed meanwhile is shown, and never overwritten. */
export function OldItemDesk({ item, etag }: { item: Item; etag: string | null }) {
  const texts = useTexts()
  const { cataloguing: own, preparing } = useStaffTexts()
  const { locale, currency } = useHouse()!
  const { language } = useSettings()
  useTitle(item.title)
  const editing = useEditing(item.id, readValues(item, locale))
  const { draft, conflicts, keep, readDraft } = editing
  const isTyped = Object.keys(draft.mine).length > 0
  const save = async () => {
    if (conflicts.length > 0) throw new Refused(texts.conflictHelp, conflicts[0]!)
    if (!isTyped) return null
    const { mine } = draft
    const saved = await saveOver(
      item.id,
      printBody(mine, currency, language),
      etag,
      (newer) => findConflicts(readDraft(), readValues(newer, locale)).length > 0,
    ).catch((error: unknown) => {
      if (!(error instanceof CatalogueError && error.code === 'duplicate-reference')) throw error
      throw new Refused(preparing.referenceTaken, 'reference')
    })
    if (!saved) return null
    keep(restOf(readDraft(), mine, readValues(saved, locale)))
    putWrittenItem(saved)
    return texts.saved
  }
  return (
    <>
      <h1 dir="auto">{item.title}</h1>
      <div className="toolbar">
        <Link to="/items/$item" params={{ item: item.id }}>
          {own.toItem}
        </Link>
        <Link to="/catalogue" search={{ like: item.id }}>
          {preparing.duplicate}
        </Link>
        <Link to="/catalogue">{own.catalogueItem}</Link>
      </div>
      <Desk
        name={own.editItem}
        focus={null}
        hasNext={false}
        {...{ editing, save, isTyped }}
        onDiscard={() => keep({ mine: {}, base: {} })}
      >
        {null}
      </Desk>
      <Suspense fallback={<p className="quiet">{texts.loading}</p>}>
        <Pictures item={item} />
      </Suspense>
    </>
  )
}
