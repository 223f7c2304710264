import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { longestSearch, type Search } from '../api/index.ts'
import { useKeys } from '../parts/keys.ts'
import { useSettings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'
import { listRecent } from './recent.ts'

/**
 * The search through all sales, at the top of every page. Its results follow the typing. `/` leads to it, or to the
 * search of the wall where there is one; the arrow down leads from it to the first result, and Enter to the only one.
 */
export function SearchField() {
  const texts = useTexts()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { hasShortcuts } = useSettings()
  const isOpen = pathname === '/search'
  const asked = isOpen ? (search.q ?? '') : ''
  const [words, setWords] = useState(asked)
  const [recent, setRecent] = useState<string[]>([])
  const sent = useRef<string[]>([])
  const field = useRef<HTMLInputElement>(null)
  // The address follows the typing, later. Anything else in it is another search, to which the user went.
  useEffect(() => {
    const place = sent.current.indexOf(asked)
    sent.current = sent.current.slice(place < 0 ? Infinity : place + 1)
    if (place < 0) setWords(asked)
  }, [asked])
  const go = (next: string) => {
    const q = next.trim()
    setWords(next)
    if (q === words.trim()) return
    sent.current.push(q)
    void navigate({ to: '/search', search: q === '' ? {} : { q }, replace: isOpen })
  }
  useKeys((event) => {
    if (event.key !== '/' || !hasShortcuts) return
    event.preventDefault()
    ;(document.getElementById('search') ?? field.current!).focus()
  })
  return (
    <search>
      <input
        ref={field}
        id="search-all"
        type="search"
        value={words}
        maxLength={longestSearch}
        onChange={(event) => go(event.target.value)}
        onFocus={() => setRecent(listRecent())}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && words.trim() !== '')
            void navigate({
              to: '/search',
              search: { ...(isOpen && (search as Search)), q: words.trim(), go: true },
              replace: isOpen,
            })
          // Without words the key opens the recent searches.
          if (event.key !== 'ArrowDown' || words === '') return
          event.preventDefault()
          document.querySelector<HTMLElement>('.found a')?.focus()
        }}
        placeholder={texts.searchAll}
        aria-label={texts.searchAll}
        autoComplete="off"
        list="recent"
      />
      <datalist id="recent">{words === '' && recent.map((each) => <option key={each} value={each} />)}</datalist>
    </search>
  )
}
