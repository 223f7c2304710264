import { useNavigate, type NavigateOptions } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Leads from the page at the path `from` to another one, unless the user has left it while it or the next one loads. */
export function useRedirect(from: string, to: NavigateOptions | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (to && location.hash.startsWith(`#${from}`)) void navigate({ ...to, replace: true })
  })
}
