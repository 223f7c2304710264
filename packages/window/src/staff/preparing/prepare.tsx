import { etag } from '@auction-catalogue/client'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { catalogue, store, useLots, useMay, useSession, type Lot } from '../../api/index.ts'
import { useNow } from '../../parts/clock.tsx'
import { Forbidden } from '../../parts/problem.tsx'
import { isPrepared } from '../../sales/state.ts'
import { useSoFar } from '../../session/so-far.ts'
import { useTexts } from '../../texts/texts.tsx'
import { SessionSteps } from '../session-steps.tsx'
import { Stage, Steps, type StepOf } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { DraftAuction } from './auction-steps.tsx'
import { Order } from './lots/order.tsx'
import { useTermsStep } from './times.tsx'
import '../../styles/staff.css'

const noLots: Lot[] = []

/** The preparation of a session. */
export function PreparePage() {
  const texts = useTexts()
  const { session: id } = useParams({ from: '/sessions/$session' })
  const isStaff = useMay('staff')
  const { data: session } = useSession(id)
  const { data } = useLots(id)
  const soFar = useSoFar(id)
  if (!isStaff) return <Forbidden permission="staff" />
  if (!session) return <p className="quiet">{texts.loading}</p>
  return (
    <Stage>
      <Order key={id} session={session} lots={data?.lots ?? noLots} soFar={soFar}>
        <Head session={session} />
      </Order>
    </Stage>
  )
}

function Head({ session }: { session: NonNullable<ReturnType<typeof useSession>['data']> }) {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const { service: now } = useNow()
  const navigate = useNavigate()
  const terms = useTermsStep(session)
  const { data: lots } = useLots(session.id)
  const hasOff = lots?.lots.some(({ active }) => !active)
  const switchOn: StepOf = {
    title: own.switchAllOn,
    name: texts.switchOn,
    label: own.switchAllOn,
    fields: <p className="quiet">{own.switchAllOnHelp}</p>,
    run: async (_, dryRun) => {
      const { changed } = await catalogue().sessions.updateLots(session.id, { active: true, lots: 'all' }, { dryRun })
      if (!dryRun) await store.invalidateQueries({ queryKey: ['lots', session.id] })
      return (dryRun ? texts.rehearsalOn : texts.switched)(changed)
    },
  }
  const isEmpty = !session.published && lots?.complete && lots.lots.length === 0
  const remove: StepOf = {
    title: own.deleteSessionTitle(session.title ?? texts.untitled),
    name: own.deleteSession,
    label: own.deleteSession,
    isDangerous: true,
    run: async (_, dryRun, once) => {
      // A deletion has no rehearsal: the service is asked when it is done.
      const stored = await once(() => catalogue().sessions.get(session.id))
      if (dryRun) return own.sessionIsGone
      await catalogue().staff.sessions.delete(session.id, { ifMatch: stored[etag]! })
      await store.invalidateQueries({ queryKey: ['auctions'] })
      await navigate({ to: '/prepare' })
      return own.sessionIsGone
    },
  }
  return (
    <>
      {isPrepared(session, now) ? (
        <>
          <Link to="/prepare/items" search={{ session: session.id }}>
            {own.addToThis}
          </Link>
          <Steps steps={[terms, ...(hasOff ? [switchOn] : []), ...(isEmpty ? [remove] : [])]} />
        </>
      ) : (
        <p>{own.hasOpened}</p>
      )}
      <SessionSteps session={session} />
      <DraftAuction session={session} />
    </>
  )
}
