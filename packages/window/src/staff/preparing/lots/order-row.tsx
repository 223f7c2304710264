import { etag, type LotId, type Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { memo, type KeyboardEvent } from 'react'
import { catalogue, itemOf, leadOf, removeLot, type Lot } from '../../../api/index.ts'
import { useFormats } from '../../../formats.ts'
import { Photograph } from '../../../parts/photograph.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { Steps, type StepOf } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'
import { BidField, NumberField } from './row-field.tsx'

type Move = (id: LotId, to: (index: number) => number) => void
type RowProps = {
  lot: Lot
  index: number
  session: Session['id']
  number: number | null
  lacks: string
  /** Whether its number can be typed: not while an order waits to be stored. */
  mayType: boolean
  isWanted: boolean
  /** None while lots still load. */
  move: Move | undefined
}

// The lot that is dragged over the others.
let dragged: LotId | null = null

/** One lot. It is drawn again only if it or its place changes. */
export const Row = memo(function Row(props: RowProps) {
  const { lot, index, session, number, lacks, mayType, isWanted, move } = props
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const formats = useFormats()
  const item = itemOf(lot)
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }
    if (!move || !event.altKey || !(event.key in steps)) return
    event.preventDefault()
    move(lot.id, (index) => index + steps[event.key as keyof typeof steps])
  }
  return (
    <tr
      aria-rowindex={index + 2}
      onKeyDown={onKeyDown}
      onDragOver={(event) => dragged && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (dragged) move?.(dragged, () => index)
      }}
    >
      <td className="moves">
        {move && (
          <>
            <span
              className="handle"
              aria-hidden="true"
              draggable
              onDragStart={() => (dragged = lot.id)}
              onDragEnd={() => (dragged = null)}
            >
              ⠿
            </span>
            <button type="button" aria-label={own.moveUp(lot.title)} onClick={() => move(lot.id, (index) => index - 1)}>
              ↑
            </button>
            <button
              type="button"
              aria-label={own.moveDown(lot.title)}
              onClick={() => move(lot.id, (index) => index + 1)}
            >
              ↓
            </button>
          </>
        )}
      </td>
      <td className="tiny">
        <Photograph image={leadOf(item)} isDecoration sizes="72px" />
      </td>
      <td data-name={own.lotNumber}>
        {mayType ? (
          <NumberField lot={lot} />
        ) : (
          <>
            {number ?? '–'}
            {number !== lot.lot_number && <span className="quiet"> ({lot.lot_number ?? '–'})</span>}
          </>
        )}
      </td>
      <td className="whole" data-name={texts.reference}>
        {item?.external_reference}
      </td>
      <td className="long-title">
        <Link to="/sessions/$session/lots/$lot" params={{ session, lot: lot.id }} preload={false} dir="auto">
          {lot.title}
        </Link>{' '}
        {!lot.active && <span className="badge">{texts.off}</span>}
      </td>
      <td className="whole" data-name={texts.estimate}>
        {item?.estimate ? formats.estimate(item.estimate) : ''}
      </td>
      <td data-name={texts.startingBid}>
        <BidField lot={lot} isWanted={isWanted} />
      </td>
      <td data-name={own.without}>{lacks}</td>
      <td>
        <Removal lot={lot} />
      </td>
    </tr>
  )
})

/** Takes a lot out of the session. Its item can be added again. */
function Removal({ lot }: { lot: Lot }) {
  const own = useStaffTexts().preparing
  const step: StepOf = {
    title: own.removeLot(lot.title),
    name: own.remove,
    isDangerous: true,
    isDirect: true,
    run: async () => {
      const stored = await catalogue().staff.lots.get(lot.id)
      await catalogue().staff.lots.update(lot.id, { archived: true }, { ifMatch: stored[etag]! })
      removeLot(lot.id)
      return own.removed
    },
  }
  return <Steps steps={[step]} />
}
