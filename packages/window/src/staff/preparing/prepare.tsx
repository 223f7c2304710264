import { Link, useParams } from '@tanstack/react-router'
import { useAuctions, useMay, useSession } from '../../api/index.ts'
import { useNow } from '../../parts/clock.tsx'
import { Forbidden } from '../../parts/problem.tsx'
import { isPrepared } from '../../sales/state.ts'
import { useTexts } from '../../texts/texts.tsx'
import { SessionSteps } from '../session-steps.tsx'
import { Stage, Steps } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { useTermsStep } from './times.tsx'
import '../../styles/staff.css'

/** The preparation of a session. */
export function PreparePage() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const isStaff = useMay('staff')
  const { data: session } = useSession(id)
  if (!isStaff) return <Forbidden permission="staff" />
  if (!session) return <p className="quiet">{texts.loading}</p>
  return (
    <Stage>
      <Head session={session} />
    </Stage>
  )
}

function Head({ session }: { session: NonNullable<ReturnType<typeof useSession>['data']> }) {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const { service: now } = useNow()
  const { data } = useAuctions()
  const terms = useTermsStep(session)
  const auction = data?.pages.flatMap((page) => page.data).find((each) => each.id === session.auction)
  return (
    <section className="preparing-head" aria-label={texts.prepare}>
      {isPrepared(session, now) ? (
        <>
          <Link to="/prepare/items" search={{ session: session.id }}>
            {own.addToThis}
          </Link>
          <Steps steps={[terms]} />
        </>
      ) : (
        <p>{own.hasOpened}</p>
      )}
      <SessionSteps session={session} />
      {auction && !auction.published && (
        <p className="quiet">
          {own.auctionIsDraft(auction.title)} <Link to="/prepare">{texts.prepare}</Link>
        </p>
      )}
    </section>
  )
}
