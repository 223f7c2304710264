import { useRef, useState } from 'react'
import { useHouse } from '../../api/index.ts'
import { readLasting, writeLasting } from '../../api/lasting.ts'
import { findConflicts, settle, typeInto, type Draft, type Values } from '../../lot/draft.ts'

/** Brings the focus to a field of the desk, and the field into view once the page is drawn. */
export function focusField(name: string): void {
  const field = document.querySelector<HTMLElement>(`.cataloguing [name="${name}"]`)
  field?.focus()
  requestAnimationFrame(() => field?.scrollIntoView({ block: 'center' }))
}

/** The same names without values: what new values are over. */
export const emptied = (values: Values): Values => Object.fromEntries(Object.keys(values).map((name) => [name, '']))

export type Editing = ReturnType<typeof useEditing>

/** What is typed over the stored values, kept on this device under a name, of the house. Without that it begins as `first`. */
export function useEditing(name: string, stored: Values, first: Values = {}) {
  const house = useHouse()!.name
  const [kept, setKept] = useState(
    () => readLasting<Draft>(house, name) ?? { typed: { mine: first, base: emptied(first) }, at: null },
  )
  const [wrong, setWrong] = useState<readonly string[]>([])
  const draft = kept.typed
  // An answer that comes later changes what is typed by then.
  const latest = useRef(draft)
  const keep = (next: Draft) => {
    latest.current = next
    writeLasting(house, name, Object.keys(next.mine).length > 0 ? next : null)
    setKept({ typed: next, at: Date.now() })
  }
  const change = (values: Values) => {
    setWrong([])
    keep(Object.entries(values).reduce((now, [each, value]) => typeInto(now, stored, each, value), latest.current))
  }
  return {
    draft,
    stored,
    values: { ...stored, ...draft.mine },
    conflicts: findConflicts(draft, stored),
    /** When something was typed last. */
    at: kept.at,
    wrong,
    setWrong,
    /** The values by now. */
    read: (): Values => ({ ...stored, ...latest.current.mine }),
    readDraft: () => latest.current,
    keep,
    change,
    /** Chooses between what was typed and what was stored meanwhile. */
    choose: (each: string, isMine: boolean) => {
      keep(settle(latest.current, stored, each, isMine))
      focusField(each)
    },
  }
}
