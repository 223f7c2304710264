import { useEffect, useRef, useState } from 'react'
import { connection, useHouse } from '../api/index.ts'

// What is typed and not stored yet, by name. The tab keeps it through reloads and the end of a key, until it is stored or
// dropped, or the user signs out.
const nameOf = (name: string) => `draft ${name}`

/** The draft of this name, or null. */
export const readDraft = (name: string): unknown => JSON.parse(sessionStorage.getItem(nameOf(name)) ?? 'null')

/** Keeps a draft, or drops it with null. */
function writeDraft(name: string, draft: object | null): void {
  // In a full storage nothing newer is kept, but what is typed stays on the page.
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(name))
    else sessionStorage.setItem(nameOf(name), JSON.stringify(draft))
  } catch {}
}

/** A draft as state. */
export function useKept<T extends object>(name: string): [T | null, (draft: T | null) => void] {
  const [draft, setDraft] = useState(() => readDraft(name) as T | null)
  const keep = (next: T | null) => {
    writeDraft(name, next)
    setDraft(next)
  }
  return [draft, keep]
}

/** Completes the name of a draft that no record of the house names. */
export function useOwnName(name: string): string {
  return `${useHouse()?.name} ${connection.person} ${name}`
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const fieldsOf = (form: HTMLFormElement) =>
  Array.from(form.elements).filter((each): each is Field => 'value' in each && (each as Field).name !== '')
const isTick = (field: Field) => field instanceof HTMLInputElement && field.type === 'checkbox'
const valueOf = (field: Field) => (isTick(field) ? String((field as HTMLInputElement).checked) : field.value)
// The only field, of a number or a tick, is soon typed again.
const isSoonTyped = ([field, other]: Field[]) =>
  other === undefined && (isTick(field!) || ['numeric', 'decimal'].includes(field!.inputMode))

// As if the user did it, so that React learns of it.
function type(field: Field, value: string): void {
  if (isTick(field)) return field.click()
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, value)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

/**
 * Keeps what is typed into the named fields of a form, and types it again when the form is there again. Call `note` after
 * each input and before each submission, and `drop` when it is stored or given up. `mayClose` drops it at the second call: `isWarned` since the first.
 */
export function useKeptForm(name: string) {
  const form = useRef<HTMLFormElement>(null)
  const [isTyped, setTyped] = useState(false)
  const [isWarned, setWarned] = useState(false)
  // What each field had before the typing, and what is not typed again yet, because its field is not there.
  const begun = useRef(new Map<string, string>())
  const rest = useRef((readDraft(name) ?? {}) as Record<string, string>)
  useEffect(() => {
    for (const field of fieldsOf(form.current!)) {
      if (!begun.current.has(field.name)) begun.current.set(field.name, valueOf(field))
      const kept = rest.current[field.name]
      if (kept === undefined) continue
      // What is no choice any more must not undo another choice.
      if (field instanceof HTMLSelectElement && !Array.from(field.options).some(({ value }) => value === kept)) continue
      if (valueOf(field) !== kept) type(field, kept)
      if (valueOf(field) === kept) delete rest.current[field.name]
    }
  })
  const note = () => {
    const fields = fieldsOf(form.current!)
    const typed = fields.filter((field) => valueOf(field) !== (begun.current.get(field.name) ?? ''))
    const all = { ...rest.current, ...Object.fromEntries(typed.map((field) => [field.name, valueOf(field)])) }
    writeDraft(name, Object.keys(all).length > 0 ? all : null)
    setTyped(typed.length > 0 && !isSoonTyped(fields))
    setWarned(false)
  }
  const drop = () => {
    rest.current = {}
    writeDraft(name, null)
    setTyped(false)
    setWarned(false)
  }
  const mayClose = () => {
    const may = !isTyped || isWarned
    if (may) drop()
    else setWarned(true)
    return may
  }
  return { form, note, drop, mayClose, isWarned }
}
