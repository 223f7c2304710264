import type { ConsignmentId, SellerId } from '@auction-catalogue/client'
import { useState, type ReactNode } from 'react'
import { useMay } from '../../api/index.ts'
import { Words } from '../../parts/problem.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { setSeller, useChosen, type Related } from '../choices.ts'
import { focusField, type Editing } from './editing.ts'
import { listIds, RelatedField } from './related-field.tsx'

/**
 * The consignment of an item with its seller; the seller alone of an item without a consignment. A consignment that was
 * made here gets its seller here.
 */
export function Owner({ editing, onConsigned }: { editing: Editing; onConsigned?: (consignment: Related) => void }) {
  const { values, stored, change } = editing
  const texts = useTexts()
  const own = useStaffTexts().cataloguing
  const [problem, setProblem] = useState<ReactNode>(null)
  const mayRead = useMay('seller_profiles.read')
  const mayClassify = useMay('categories.read')
  const [consignment] = useChosen('consignment', listIds(values['consignment']))
  const [seller] = useChosen('seller', listIds(consignment?.seller ?? ''))
  const consign = (choice: Related | null) => {
    // That of an item that is there stays until the consignment has one.
    const seller = choice?.seller ?? (choice ? stored['seller'] : values['seller']) ?? ''
    change({ consignment: choice?.id ?? '', seller })
    if (choice) onConsigned?.(choice)
  }
  const giveSeller = async (choice: Related | null) => {
    if (!choice) return
    setProblem(null)
    try {
      await setSeller(consignment!.id as ConsignmentId, choice.id as SellerId)
      change({ seller: choice.id })
      // The field goes.
      focusField(mayClassify ? 'categories' : 'reference')
    } catch (error) {
      setProblem(<Words error={error} />)
    }
  }
  return (
    <>
      <RelatedField
        kind="consignment"
        name="consignment"
        label={texts.consignment}
        editing={editing}
        onChoose={consign}
      />
      {!mayRead ? null : !values['consignment'] ? (
        <RelatedField kind="seller" name="seller" label={texts.seller} editing={editing} />
      ) : consignment?.seller ? (
        <p className="given">
          {texts.seller}
          <b dir="auto">{seller?.name ?? '…'}</b>
        </p>
      ) : (
        consignment && (
          <div>
            <RelatedField
              kind="seller"
              name="consignment_seller"
              label={own.sellerOfConsignment}
              editing={editing}
              onChoose={(choice) => void giveSeller(choice)}
            />
            <p className="refusal" role="alert">
              {problem}
            </p>
          </div>
        )
      )}
    </>
  )
}
