import { useEffect } from 'react'

/** Sets the title of the page in the tab. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title) document.title = title
  }, [title])
}
