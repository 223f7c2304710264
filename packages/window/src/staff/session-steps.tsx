import { etag, type Session, type SessionChange } from '@auction-catalogue/client'
import type { ReactNode } from 'react'
import { catalogue, connection, knownLots, lotsQuery, store, useAuction, useLots } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { useNow } from '../parts/clock.tsx'
import { isOpen } from '../session/filters.ts'
import { useSoFar } from '../session/so-far.ts'
import { useFinish } from './finish.tsx'
import { findLacks } from './preparing/lacks.ts'
import { Past } from './preparing/past.tsx'
import { Steps, type Once, type StepOf } from './step.tsx'
import { useStaffTexts } from './texts/texts.ts'

/** What staff do with a whole session: publish it, let customers bid, delay the closes, finish it. */
export function SessionSteps({ session }: { session: Session }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const { service: now } = useNow()
  const finish = useFinish(session)
  const { id, published, customer_bidding_enabled: isBidding, finished, opens_at } = session
  const hasOpened = opens_at !== null && Date.parse(opens_at) <= now
  const isRunning = published && !finished && hasOpened
  const change = async (body: SessionChange, dryRun: boolean, once: Once) => {
    // The session may have changed since it was shown.
    const stored = await once(() => catalogue().sessions.get(id))
    await catalogue().staff.sessions.update(id, body, { dryRun, ifMatch: stored[etag]! })
    // The buttons are as they will stay before the focus returns to one of them.
    if (!dryRun) await store.invalidateQueries({ queryKey: ['session', id] })
  }
  const simple = (name: string, words: ReactNode, body: SessionChange): StepOf => ({
    title: name,
    name,
    run: async (_, dryRun, once) => {
      await change(body, dryRun, once)
      return words
    },
  })
  const publish: StepOf = {
    title: own.publish,
    name: own.publish,
    fields: <PublishToo session={session} />,
    run: async ({ both }, dryRun, once) => {
      const { auctions, sessions, staff } = catalogue()
      const stored = await once(async () => ({
        session: await sessions.get(id),
        auction: await auctions.get(session.auction),
      }))
      const isDraft = !stored.auction.published
      const body = { published: true }
      const lots = await store.ensureQueryData(lotsQuery(id)).then(
        () => knownLots(id),
        () => [],
      )
      const unseen = lots.filter((lot) => findLacks(lot, []).includes('photograph')).length
      // The auction first: a change of its session is one of the auction too, and its tag would be old.
      if (isDraft && both)
        await staff.auctions.update(stored.auction.id, body, { dryRun, ifMatch: stored.auction[etag]! })
      const changed = await staff.sessions.update(id, body, { dryRun, ifMatch: stored.session[etag]! })
      const shown = [['session', id], ['auction', session.auction], ['auctions']]
      if (!dryRun) await Promise.all(shown.map((queryKey) => store.invalidateQueries({ queryKey })))
      return (
        <>
          {isDraft && !both ? own.preparing.hiddenByAuction(stored.auction.title) : own.published}
          {lots.length > 0 && lots.every(({ active }) => !active) && (
            <p className="refusal">{own.allOff(lots.length)}</p>
          )}
          {unseen > 0 && <p className="refusal">{own.preparing.lotsWithout(unseen, own.preparing.lacks.photograph)}</p>}
          <Past of={changed} />
        </>
      )
    },
  }
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
    run: async ({ minutes = '', reason = '' }, dryRun, once) => {
      if (!/^\d{1,5}$/.test(minutes.trim()) || Number(minutes) === 0) throw own.notMinutes
      await store.ensureQueryData(lotsQuery(id))
      const by = Number(minutes) * 60
      const open = listOpen(session, connection.clock.now())
      const last = open.toSorted((one, other) => Date.parse(one.closes_at!) - Date.parse(other.closes_at!)).at(-1)
      const readLast = async () => last && (await catalogue().lots.get(last.id)).closes_at
      // Another person may have delayed the closes since, or bidders the last of them.
      const before = await once(readLast)
      if (!dryRun && (await readLast()) !== before) throw own.closesMoved
      await catalogue().staff.sessions.delay(id, { seconds: by, reason }, { dryRun })
      const after = dryRun ? before && Date.parse(before) + by * 1000 : await readLast().catch(() => undefined)
      const words = after ? formats.exact(after) : '–'
      return dryRun ? <Delayed session={session} last={words} /> : own.delayed(open.length, words)
    },
  }
  // What the day needs comes first, and what hides the session from the public last.
  const steps = [
    ...(published || finished ? [] : [publish]),
    ...(isRunning && session.kind === 'timed' ? [delay] : []),
    ...(!finished && hasOpened ? [finish] : []),
    ...(finished || !published
      ? []
      : isBidding
        ? [simple(own.disableBidding, own.biddingDisabled, { customer_bidding_enabled: false })]
        : [simple(own.enableBidding, <Enabled session={session} />, { customer_bidding_enabled: true })]),
    ...(published && !finished ? [simple(own.unpublish, own.unpublished, { published: false })] : []),
  ]
  return <Steps steps={steps} />
}

const listOpen = (session: Session, now: number) => knownLots(session.id).filter((lot) => isOpen(lot, session, now))

/** What a delay would do, with the number of the lots that are open by now. */
function Delayed({ session, last }: { session: Session; last: string }) {
  const own = useStaffTexts()
  const { service: now } = useNow()
  useLots(session.id)
  return own.delayed(listOpen(session, now).length, last)
}

/** What enabled bidding does, with the lots that have no starting bid by now. */
function Enabled({ session }: { session: Session }) {
  const own = useStaffTexts()
  const { data } = useLots(session.id)
  const soFar = useSoFar(session.id)
  const unpriced = (data?.lots ?? [])
    .filter(({ active, starting_bid, current_bid }) => active && starting_bid === null && current_bid === null)
    .map(({ lot_number }) => lot_number ?? '–')
  const isOff = data?.complete && data.lots.length > 0 && data.lots.every(({ active }) => !active)
  return [
    own.biddingEnabled,
    ...(isOff ? [own.allOff(data.lots.length)] : []),
    ...(soFar ? [soFar] : []),
    ...(unpriced.length > 0 ? [own.preparing.unpriced(unpriced.length, unpriced.join(', '))] : []),
  ].join(' ')
}

/** Asks whether the auction of a session is published too. It may be read after the dialog has opened. */
function PublishToo({ session }: { session: Session }) {
  const own = useStaffTexts()
  const { data: auction } = useAuction(session.auction)
  if (auction?.published !== false) return null
  return (
    <label className="check">
      <input type="checkbox" name="both" defaultChecked />
      {own.publishToo(auction.title)}
    </label>
  )
}

/** The reason of a change, which the journal keeps. */
export function Reason({ isOptional = false }: { isOptional?: boolean }) {
  const own = useStaffTexts()
  return (
    <label>
      {isOptional ? own.reasonIfAny : own.reason}
      <input name="reason" required={!isOptional} maxLength={250} autoComplete="off" />
    </label>
  )
}
