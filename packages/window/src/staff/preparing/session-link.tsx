import type { Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../formats.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Leads to the preparation of a session. */
export function SessionLink({ session }: { session: Session }) {
  const texts = useTexts()
  const formats = useFormats()
  const { opens_at: opens, published } = session
  return (
    <Link to="/sessions/$session/prepare" params={{ session: session.id }}>
      <span className="name" dir="auto">
        {session.title ?? texts.untitled}
      </span>
      <span className="quiet">
        {texts[session.kind]} · {opens === null ? texts.noOpening : texts.opens(formats.dayTime(opens))}
      </span>
      <span />
      <span className="badge" data-state={published ? 'announced' : 'draft'}>
        {published ? texts.announced : texts.draft}
      </span>
    </Link>
  )
}
