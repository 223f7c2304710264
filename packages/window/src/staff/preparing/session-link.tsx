import type { Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import type { Auction } from '../../api/index.ts'
import { useFormats } from '../../formats.ts'
import { stateIn } from '../../sales/state.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Leads to the preparation of a session. */
export function SessionLink({ session, auction, now }: { session: Session; auction: Auction; now: number }) {
  const texts = useTexts()
  const formats = useFormats()
  const { opens_at: opens } = session
  const state = stateIn(auction, session, now)
  return (
    <Link to="/sessions/$session/prepare" params={{ session: session.id }}>
      <span className="name" dir="auto">
        {session.title ?? texts.untitled}
      </span>
      <span className="quiet">
        {texts[session.kind]} ·{' '}
        {opens === null
          ? texts.noOpening
          : (Date.parse(opens) > now ? texts.opens : texts.opened)(formats.dayTime(opens))}
      </span>
      <span />
      <span className="badge" data-state={state}>
        {texts[state]}
      </span>
    </Link>
  )
}
