import { useId, useState, type KeyboardEvent } from 'react'
import type { Choice } from './choices.ts'
import { useStaffTexts } from './texts/texts.ts'

// So many matches are shown.
const most = 8

/** The words of a name or of what is typed, in small letters without accents. */
const split = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[\s·,()/-]+/)
    .filter(Boolean)

/** Whether a name has the beginnings of all words. */
function hasWords(name: string, words: string[]): boolean {
  const parts = split(name)
  return words.every((word) => parts.some((part) => part.startsWith(word)))
}

/**
 * A field in which one of many records is chosen by typing: the arrows go through the matches, Enter takes one, and an
 * empty field is none. `choices` is undefined until they are read.
 */
export function Picker<Id extends string>(props: {
  label: string
  choices: Choice<Id>[] | undefined
  chosen: Choice<Id> | undefined
  onChoose: (id: Id | undefined) => void
  onFocus?: () => void
}) {
  const { label, choices, chosen, onChoose, onFocus } = props
  const own = useStaffTexts()
  const name = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const words = split(typed ?? '')
  const matches = words.length === 0 ? [] : (choices ?? []).filter((each) => hasWords(each.name, words)).slice(0, most)
  const isOpen = words.length > 0
  const choose = (id: Id | undefined) => {
    setTyped(null)
    onChoose(id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && isOpen) {
      event.preventDefault()
      setActive(Math.max(0, Math.min(matches.length - 1, active + step)))
    } else if (event.key === 'Escape' && typed !== null) {
      event.preventDefault()
      setTyped(null)
    } else if (event.key === 'Enter' && typed !== null) {
      event.preventDefault()
      if (typed.trim() === '') choose(undefined)
      else if (matches[active]) choose(matches[active].id)
    }
  }
  return (
    <span className="picker">
      <label id={`${name}-label`} htmlFor={name}>
        {label}
      </label>
      <input
        id={name}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${name}-list`}
        aria-activedescendant={isOpen && matches[active] ? `${name}-${active}` : undefined}
        dir="auto"
        value={typed ?? chosen?.name ?? ''}
        onFocus={(event) => {
          onFocus?.()
          event.target.select()
        }}
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
        }}
        onBlur={() => (typed !== null && typed.trim() === '' ? choose(undefined) : setTyped(null))}
        onKeyDown={onKeyDown}
      />
      <ul id={`${name}-list`} role="listbox" aria-labelledby={`${name}-label`} hidden={!isOpen || matches.length === 0}>
        {matches.map((each, index) => (
          <li
            key={each.id}
            id={`${name}-${index}`}
            role="option"
            aria-selected={index === active}
            dir="auto"
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(each.id)}
          >
            {each.name}
          </li>
        ))}
      </ul>
      <span role="status" className="quiet">
        {isOpen && matches.length === 0 && (choices === undefined ? own.readingChoices : own.noChoice)}
      </span>
    </span>
  )
}
