import { Link, Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useConnection } from './api/index.ts'
import { SettingsButton } from './parts/settings-dialog.tsx'
import { useNow } from './parts/clock.tsx'
import { useTexts } from './texts/texts.tsx'

/** What all pages share: the bar at the top, and what is the matter with the connection. */
export function Frame() {
  const texts = useTexts()
  return (
    <>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('content')!.focus()
        }}
      >
        {texts.skip}
      </a>
      <header className="bar">
        <Link to="/" className="brand">
          {texts.title}
        </Link>
        <nav aria-label={texts.title}>
          <Link to="/" activeOptions={{ exact: true }}>
            {texts.sales}
          </Link>
        </nav>
        <SettingsButton />
      </header>
      <Trouble />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

function Trouble() {
  const texts = useTexts()
  const { trouble, until } = useConnection()
  const now = useNow(trouble === 'limited')
  const [isSaid, setSaid] = useState(false)
  // A hiccup that is over at once is no news.
  useEffect(() => {
    if (trouble === null) {
      setSaid(false)
      return undefined
    }
    const timer = setTimeout(() => setSaid(true), trouble === 'away' ? 600 : 0)
    return () => clearTimeout(timer)
  }, [trouble])
  const seconds = Math.max(1, Math.ceil((until - now.machine) / 1000))
  const words = { offline: texts.offline, away: texts.away, limited: texts.limited(seconds) }
  return (
    <p className="trouble" role="status" data-shown={isSaid && trouble !== null}>
      {isSaid && trouble !== null && words[trouble]}
    </p>
  )
}
