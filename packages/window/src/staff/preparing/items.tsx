import { useMay } from '../../api/index.ts'
import { Forbidden } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { Stage } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Items } from './items/list.tsx'
import '../../styles/staff.css'

/** The items of the house: found by what they lack, changed, and added to a sale. */
export function ItemsPage() {
  const { preparing: own } = useStaffTexts()
  const isStaff = useMay('staff')
  useTitle(own.items)
  if (!isStaff) return <Forbidden permission="staff" />
  return (
    <div className="page wide">
      <Stage>
        <h1>{own.items}</h1>
        <Items />
      </Stage>
    </div>
  )
}
