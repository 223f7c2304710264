import { useParams } from '@tanstack/react-router'
import { useMay, useSession } from '../api/index.ts'
import { Forbidden } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'
import { Board } from './board.tsx'
import { Clerk } from './clerk/clerk.tsx'
import { SaleHead } from './head.tsx'
import { Stage } from './step.tsx'

/** What staff do during a sale. */
export function DeskPage() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const { data: session } = useSession(id)
  const isStaff = useMay('staff')
  if (!isStaff) return <Forbidden permission="staff" />
  if (!session) return <p className="quiet">{texts.loading}</p>
  return (
    <Stage>
      <SaleHead session={session} />
      {session.kind === 'live' ? <Clerk key={id} session={session} /> : <Board key={id} session={session} />}
    </Stage>
  )
}
