import { etag, type AuctionCreate, type AuctionChange, type Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { catalogue, store, useAuction, useMay, type Auction } from '../../api/index.ts'
import { useTimeZone } from '../../formats.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Steps, type Once, type StepOf } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Past } from './past.tsx'
import { SessionFields } from './session-fields.tsx'
import { readNewSession } from './terms.ts'
import { takeReference } from './words.ts'

/** Makes an auction. */
export function NewAuction() {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const mayWrite = useMay('auctions.write')
  const make: StepOf = {
    title: own.newAuction,
    name: own.make,
    fields: (
      <>
        <label>
          {own.auctionTitle}
          <input name="title" required autoComplete="off" dir="auto" />
        </label>
        <label>
          {texts.reference}
          <input name="external_reference" required autoComplete="off" />
        </label>
      </>
    ),
    isDirect: true,
    run: async (answers) => {
      const body = { title: answers['title'], external_reference: answers['external_reference'] } as AuctionCreate
      await takeReference(() => catalogue().auctions.create(body), own)
      await store.invalidateQueries({ queryKey: ['auctions'] })
      return own.auctionMade(body.title)
    },
  }
  return mayWrite ? <Steps steps={[{ ...make, label: own.newAuction }]} /> : null
}

/** What staff do with an auction: make a session in it, publish it and take that back. */
export function AuctionSteps({ auction }: { auction: Auction }) {
  const own = useStaffTexts()
  const texts = useTexts()
  const timeZone = useTimeZone()
  const mayWrite = useMay('auctions.write')
  const { preparing } = own
  const letter = String.fromCharCode(65 + (auction.sessions.length % 26))
  const makeSession: StepOf = {
    title: preparing.newSessionIn(auction.title),
    name: preparing.make,
    label: preparing.newSession,
    fields: <SessionFields reference={auction.external_reference ? `${auction.external_reference}/${letter}` : ''} />,
    isDirect: true,
    run: async (answers) => {
      const body = readNewSession(auction.id, answers, timeZone, preparing.noSuchTime)
      const { sessions } = catalogue()
      // Only a rehearsal says which times have passed.
      const foretold = await takeReference(() => sessions.create(body, { dryRun: true }), preparing)
      const made = await takeReference(() => sessions.create(body), preparing)
      await store.invalidateQueries({ queryKey: ['auctions'] })
      return (
        <>
          {preparing.sessionMade(body.title)}{' '}
          <Link to="/sessions/$session/prepare" params={{ session: made.id }}>
            {texts.prepare}
          </Link>
          <Past of={foretold} />
        </>
      )
    },
  }
  return <Steps steps={[...(mayWrite ? [makeSession] : []), usePublication(auction)]} />
}

/** Says that the auction of a session is a draft, and publishes it. */
export function DraftAuction({ session }: { session: Session }) {
  const own = useStaffTexts().preparing
  const { data: auction } = useAuction(session.auction)
  return auction && !auction.published ? (
    <Publishing auction={auction} words={own.auctionIsDraft(auction.title)} />
  ) : null
}

function Publishing({ auction, words }: { auction: Pick<Auction, 'id' | 'title' | 'published'>; words: string }) {
  const step = usePublication(auction)
  return (
    <div className="draft-auction">
      <p>{words}</p>
      <Steps steps={[{ ...step, label: step.title }]} />
    </div>
  )
}

/** Publishes an auction, or takes that back. */
function usePublication({ id, title, published }: Pick<Auction, 'id' | 'title' | 'published'>): StepOf {
  const own = useStaffTexts()
  const { preparing } = own
  const change = async (body: AuctionChange, dryRun: boolean, once: Once) => {
    const stored = await once(() => catalogue().auctions.get(id))
    await catalogue().staff.auctions.update(id, body, { dryRun, ifMatch: stored[etag]! })
    if (!dryRun)
      await Promise.all([['auctions'], ['auction', id]].map((queryKey) => store.invalidateQueries({ queryKey })))
  }
  return published
    ? {
        title: preparing.unpublishAuction(title),
        name: own.unpublish,
        run: async (_, dryRun, once) => {
          await change({ published: false }, dryRun, once)
          return preparing.auctionUnpublished
        },
      }
    : {
        title: preparing.publishAuction(title),
        name: own.publish,
        run: async (_, dryRun, once) => {
          await change({ published: true }, dryRun, once)
          return preparing.auctionPublished
        },
      }
}
