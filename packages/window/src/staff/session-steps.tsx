import { etag, type Session, type SessionChange } from '@auction-catalogue/client'
import { catalogue, store, useLots } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { Steps, type StepOf } from './step.tsx'
import { useStaffTexts } from './texts/texts.ts'

/** What staff do with a whole session: publish it, let customers bid, delay the closes, finish it. */
export function SessionSteps({ session }: { session: Session }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const { data } = useLots(session.id)
  const { service: now } = useNow()
  const { id, published, customer_bidding_enabled: isBidding, finished, opens_at } = session
  const hasOpened = opens_at !== null && Date.parse(opens_at) <= now
  const isRunning = published && !finished && hasOpened
  const change = async (body: SessionChange, dryRun: boolean) => {
    // The session may have changed since it was shown.
    const stored = await catalogue().sessions.get(id)
    await catalogue().staff.sessions.update(id, body, { dryRun, ifMatch: stored[etag]! })
    if (!dryRun) void store.invalidateQueries({ queryKey: ['session', id] })
  }
  const simple = (name: string, words: string, body: SessionChange): StepOf => ({
    title: name,
    name,
    run: async (_, dryRun) => {
      await change(body, dryRun)
      return words
    },
  })
  const unpriced = (data?.lots ?? [])
    .filter(({ active, starting_bid, current_bid }) => active && starting_bid === null && current_bid === null)
    .map(({ lot_number }) => lot_number ?? '–')
  const enabled = [
    own.biddingEnabled,
    ...(unpriced.length > 0 ? [own.preparing.unpriced(unpriced.length, unpriced.join(', '))] : []),
  ].join(' ')
  const delay: StepOf = {
    title: own.delayTitle,
    name: own.delay,
    isDangerous: true,
    fields: (
      <>
        <label>
          {own.delayMinutes}
          <input name="minutes" inputMode="numeric" required autoComplete="off" />
        </label>
        <Reason />
      </>
    ),
    run: async ({ minutes = '', reason = '' }, dryRun) => {
      if (!/^\d{1,5}$/.test(minutes.trim()) || Number(minutes) === 0) throw own.notMinutes
      const by = Number(minutes) * 60
      await catalogue().staff.sessions.delay(id, { seconds: by, reason }, { dryRun })
      const closes = (data?.lots ?? []).flatMap(({ active, closes_at, result }) =>
        active && !result && closes_at !== null && Date.parse(closes_at) > now ? [Date.parse(closes_at)] : [],
      )
      return own.delayed(closes.length, formats.exact(Math.max(...closes) + (dryRun ? by * 1000 : 0)))
    },
  }
  const finish: StepOf = {
    title: own.finishTitle,
    name: own.finish,
    isDangerous: true,
    fields: (
      <>
        {session.kind === 'timed' && (
          <label className="check">
            <input type="checkbox" name="early" />
            {own.finishEarly}
          </label>
        )}
        <label className="check">
          <input type="checkbox" name="without" />
          {own.finishWithout}
        </label>
      </>
    ),
    run: async ({ early, without }, dryRun) => {
      await change(
        { finished: true, ...(early && { early: true }), ...(without && { allow_without_result: true }) },
        dryRun,
      )
      return own.finished
    },
  }
  const steps = [
    ...(finished ? [] : published ? [simple(own.unpublish, own.unpublished, { published: false })] : []),
    ...(published || finished ? [] : [simple(own.publish, own.published, { published: true })]),
    ...(finished || !published
      ? []
      : isBidding
        ? [simple(own.disableBidding, own.biddingDisabled, { customer_bidding_enabled: false })]
        : [simple(own.enableBidding, enabled, { customer_bidding_enabled: true })]),
    ...(isRunning && session.kind === 'timed' ? [delay] : []),
    ...(!finished && hasOpened ? [finish] : []),
  ]
  return <Steps steps={steps} />
}

/** The reason of a change, which the journal keeps. */
export function Reason() {
  const own = useStaffTexts()
  return (
    <label>
      {own.reason}
      <input name="reason" required autoComplete="off" />
    </label>
  )
}
