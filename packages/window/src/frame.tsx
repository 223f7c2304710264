import { Link, Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { showToClient, useConnection, useDiscovery, usePermissions } from './api/index.ts'
import { SettingsButton } from './parts/settings-button.tsx'
import { isReplaced } from './parts/load.ts'
import { Words } from './parts/problem.tsx'
import { SearchField } from './search/field.tsx'
import { useTexts } from './texts/texts.tsx'

/** The parts that all pages share: the bar at the top, and the state of the connection. */
export function Frame() {
  const texts = useTexts()
  // The pages show times in the zone of the house, and offer what the key may do.
  const { data, isPending } = useDiscovery()
  const { may, isStaff, isForClient } = usePermissions()
  const mayRead = may.includes('lots.read')
  const mayReadSales = mayRead && may.includes('auctions.read') && !isForClient
  const { pathname } = useLocation()
  const isHidden = isForClient && !forClients.test(pathname)
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
          {data?.house.name ?? texts.title}
        </Link>
        <nav aria-label={texts.title}>
          <Link to="/" activeOptions={{ exact: true }}>
            {texts.sales}
          </Link>
          {isStaff && mayReadSales && <Link to="/after">{texts.afterTheSale}</Link>}
        </nav>
        {mayRead && !isForClient && <SearchField />}
        <ClientView />
        <SettingsButton />
      </header>
      <Trouble />
      <main id="content" tabIndex={-1}>
        {isPending || isHidden ? (
          <p className="quiet page">{isHidden ? texts.notForClients : texts.loading}</p>
        ) : (
          <Outlet />
        )}
      </main>
    </>
  )
}

// The pages that a client may see: the sales, a wall, a list, a schedule, a lot.
const forClients = /^\/(now|sessions\/[^/]+(\/list|\/schedule|\/lots\/[^/]+)?\/?)?$/

/** Lets staff show the page to a client. From a page of theirs it leads to the lot, the wall or the sales. */
function ClientView() {
  const texts = useTexts()
  const { isStaff, isForClient } = usePermissions()
  const { session, lot } = useParams({ strict: false })
  const navigate = useNavigate()
  const { pathname } = useLocation()
  if (!isStaff) return null
  const toggle = () => {
    showToClient(!isForClient)
    if (isForClient || forClients.test(pathname)) return
    if (session && lot) void navigate({ to: '/sessions/$session/lots/$lot', params: { session, lot } })
    else if (session) void navigate({ to: '/sessions/$session', params: { session } })
    else void navigate({ to: '/' })
  }
  return (
    <button type="button" className="plain" aria-pressed={isForClient} onClick={toggle}>
      {texts.clientView}
    </button>
  )
}

/** The line at the foot: the trouble with the connection, or that an upgrade has replaced this tab's version. */
function Trouble() {
  const texts = useTexts()
  const { trouble, behind } = useConnection()
  const isOld = useIsOld()
  const [isSaid, setSaid] = useState(false)
  // A short interruption is not reported.
  useEffect(() => {
    if (trouble === null) {
      setSaid(false)
      return undefined
    }
    const timer = setTimeout(() => setSaid(true), trouble === 'away' ? 600 : 0)
    return () => clearTimeout(timer)
  }, [trouble])
  const words = {
    offline: texts.offline,
    away: texts.away,
    slow: texts.slow,
  }
  const hasTrouble = isSaid && trouble !== null
  return (
    <p className="trouble" role="status" data-shown={hasTrouble || behind !== null || isOld}>
      {hasTrouble ? words[trouble] : isOld ? texts.newVersion : behind !== null && <Behind error={behind} />}
      {!hasTrouble && isOld && (
        <button type="button" onClick={() => location.reload()}>
          {texts.reload}
        </button>
      )}
    </p>
  )
}

function Behind({ error }: { error: unknown }) {
  const texts = useTexts()
  return (
    <>
      {texts.behind} <Words error={error} />
    </>
  )
}

/**
 * Whether the service has a newer window. Looked up after an outage of the service, and when the tab becomes visible.
 */
function useIsOld(): boolean {
  const { trouble } = useConnection()
  const [isOld, setOld] = useState(false)
  useEffect(() => {
    const look = () => void isReplaced().then(setOld)
    const lookWhenSeen = () => document.visibilityState === 'visible' && look()
    document.addEventListener('visibilitychange', lookWhenSeen)
    return () => {
      document.removeEventListener('visibilitychange', lookWhenSeen)
      if (trouble === 'away') look()
    }
  }, [trouble])
  return isOld
}
