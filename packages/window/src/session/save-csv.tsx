import type { House, Session } from '@auction-catalogue/client'
import { useEffect, useRef, useState } from 'react'
import { useMay, type Lot } from '../api/index.ts'
import { loadPart } from '../parts/load.ts'
import { Words } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'

/** Saves lots as a file in the browser's folder for downloads. The save ends with the page, whatever is searched meanwhile. */
export function SaveCsv({ lots, session, house }: { lots: Lot[]; session: Session; house: House }) {
  const texts = useTexts()
  const mayReadSellers = useMay('seller_profiles.read')
  const [problem, setProblem] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const saving = useRef<AbortController>(null)
  useEffect(() => () => saving.current?.abort(), [])
  const save = async () => {
    if (isSaving) return
    const { signal } = (saving.current = new AbortController())
    setSaving(true)
    setProblem(undefined)
    try {
      const { saveLots } = await loadPart(() => import('./csv.ts'))
      await saveLots(lots, session, house, { mayReadSellers, signal })
    } catch (error) {
      if (!signal.aborted) setProblem(error)
    }
    setSaving(false)
  }
  if (lots.length === 0 && !isSaving && problem === undefined) return null
  return (
    <>
      <button type="button" aria-disabled={isSaving} onClick={() => void save()}>
        {isSaving ? texts.loading : texts.saveCsv}
      </button>
      {problem !== undefined && (
        <p className="refusal" role="alert">
          <Words error={problem} />
        </p>
      )}
    </>
  )
}
