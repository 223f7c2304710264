import { useNavigate, useRouterState, type NavigateOptions } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Leads from this page to another one, unless the user has gone on while it loaded, and the next page is on its way. */
export function useRedirect(to: NavigateOptions | undefined): void {
  const navigate = useNavigate()
  const isThere = useRouterState({
    select: ({ location, resolvedLocation }) => location.href === resolvedLocation?.href,
  })
  useEffect(() => {
    if (to && isThere) void navigate({ ...to, replace: true })
  })
}
