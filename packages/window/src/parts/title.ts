import { useEffect } from 'react'

/** Names the page in the tab. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title) document.title = title
  }, [title])
}
