import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/index.ts'
import { Forbidden } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { Stage } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Items } from './items/list.tsx'
import '../../styles/staff.css'

/** The items of the house: found by what they lack, changed, and added to a sale. */
export function ItemsPage() {
  const { preparing: own, cataloguing } = useStaffTexts()
  const isStaff = useMay('staff')
  const mayWrite = useMay('lots.write')
  useTitle(own.items)
  if (!isStaff) return <Forbidden permission="staff" />
  return (
    <div className="page wide">
      <Stage>
        <div className="heading">
          <h1>{own.items}</h1>
          {mayWrite && <Link to="/catalogue">{cataloguing.catalogueItem}</Link>}
        </div>
        <Items />
      </Stage>
    </div>
  )
}
