import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Words } from '../parts/problem.tsx'
import { useTexts } from '../texts/texts.tsx'
import type { Choice, Choices } from './choices.ts'
import { useStaffTexts } from './texts/texts.ts'

const mostShown = 20
const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

const split = (text: string) => fold(text).split(/[\s,;()/.·-]+/)

// The choices in which each typed word begins a word; first that with this name, then those whose names begin so.
function findChoices<C extends Choice>(choices: readonly C[], text: string): C[] {
  const typed = fold(text)
  const words = split(text)
  const matches = choices.filter(({ name, note }) => {
    const own = split(`${name} ${note ?? ''}`)
    return words.every((word) => own.some((each) => each.startsWith(word)))
  })
  const rank = ({ name }: C) => (fold(name) === typed ? 0 : fold(name).startsWith(typed) ? 1 : 2)
  return matches.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostShown)
}

/**
 * A field in which a record is found by typing. Enter takes the marked choice; to leave the field takes the one with the
 * typed name. With `onMake`, what is not there is made by a second Enter, or by a click. `list` is undefined until it is
 * read, `chosen` the name of the present choice.
 */
export function Combobox<C extends Choice>(props: {
  name?: string
  label: string
  list: Choices<C> | undefined
  chosen: string
  isWrong?: boolean
  onFocus?: () => void
  onChoose: (choice: C | null) => void
  onMake?: (name: string) => Promise<C>
  children?: ReactNode
}) {
  const { name, label, chosen, isWrong = false, onFocus, onChoose, onMake, children } = props
  const retry = props.list?.retry
  const list = retry ? undefined : props.list
  const choices = list?.choices
  const texts = useTexts()
  const own = useStaffTexts()
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [moved, setMoved] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ReactNode>(null)
  const typed = (text ?? '').trim()
  const found = isOpen ? findChoices(choices ?? [], typed) : []
  const same = typed === '' ? undefined : choices?.find((each) => fold(each.name) === fold(typed))
  const mayMake = onMake !== undefined && isOpen && choices !== undefined && typed !== '' && !same
  const count = found.length + (mayMake ? 1 : 0)
  // What is typed marks the first that is found. To make another one is never the first answer.
  const marked = moved ?? (typed !== '' && found.length > 0 ? 0 : -1)
  const idOf = (index: number) => `${id}-${index}`
  useEffect(() => {
    if (marked >= 0) document.getElementById(idOf(marked))?.scrollIntoView({ block: 'nearest' })
  }, [marked])

  const close = () => {
    setText(null)
    setOpen(false)
    setMoved(null)
  }
  const choose = (choice: C | null) => {
    close()
    setProblem(null)
    onChoose(choice)
  }
  const make = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      choose(await onMake!(typed))
    } catch (error) {
      setProblem(typeof error === 'string' ? error : <Words error={error} />)
    }
    setBusy(false)
  }
  const take = (index: number) => (index < found.length ? choose(found[index]!) : void make())
  const type = (next: string) => {
    setProblem(null)
    setMoved(null)
    if (next === '') return choose(null)
    setText(next)
    setOpen(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return setOpen(true)
      const to = marked + (event.key === 'ArrowDown' ? 1 : -1)
      setMoved(to >= count ? 0 : to < 0 ? count - 1 : to)
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      // A key that is held down is one press.
      if (event.repeat) return
      if (marked >= 0 && marked < count) take(marked)
      else if (same) choose(same)
      else if (mayMake) setMoved(found.length)
    } else if (event.key === 'Escape' && (isOpen || text !== null)) {
      event.preventDefault()
      setProblem(null)
      close()
    } else if (event.key === 'Tab' && moved !== null && moved < found.length) choose(found[moved]!)
  }
  const leave = () => {
    setOpen(false)
    setMoved(null)
    if (isBusy) return
    if (same) choose(same)
    else if (typed === '' || (!onMake && list)) setText(null)
  }
  // What was typed before the list was there.
  useEffect(() => {
    if (!list || isOpen) return
    if (same) choose(same)
    else if (!onMake) setText(null)
  }, [list === undefined])
  const isUnchosen = typed !== '' && !isOpen && list !== undefined
  const isNone = isOpen && typed !== '' && count === 0
  const refusal = problem ?? (retry ? own.listFailed : isUnchosen ? own.cataloguing.notChosen(typed) : null)
  return (
    <div className="combobox">
      <div className="anchor">
        <label>
          {label}
          <input
            name={name}
            role="combobox"
            autoComplete="off"
            dir="auto"
            value={text ?? chosen}
            aria-expanded={count > 0}
            {...(count > 0 && { 'aria-controls': `${id}-list` })}
            aria-autocomplete="list"
            aria-describedby={`${id}-hint`}
            aria-busy={isBusy}
            aria-invalid={isWrong || isUnchosen || problem !== null}
            data-unchosen={typed !== ''}
            {...(marked >= 0 && marked < count && { 'aria-activedescendant': idOf(marked) })}
            onChange={({ target }) => type(target.value)}
            onFocus={({ target }) => {
              onFocus?.()
              target.select()
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={leave}
          />
        </label>
        {count > 0 && (
          <ul
            id={`${id}-list`}
            role="listbox"
            aria-label={label}
            // A press keeps the focus in the field.
            onPointerDown={(event) => event.preventDefault()}
          >
            {found.map((choice, index) => (
              <li
                key={choice.id}
                id={idOf(index)}
                role="option"
                aria-selected={index === marked}
                onClick={() => choose(choice)}
              >
                <span dir="auto">{choice.name}</span> {choice.note && <span className="quiet">{choice.note}</span>}
              </li>
            ))}
            {mayMake && (
              <li
                id={idOf(found.length)}
                role="option"
                aria-selected={marked === found.length}
                className="make"
                onClick={() => void make()}
              >
                {own.cataloguing.makeNamed(typed)}{' '}
                {marked === found.length && <span className="quiet">{own.cataloguing.enterMakes}</span>}
              </li>
            )}
          </ul>
        )}
      </div>
      <span id={`${id}-hint`} role="status" className={refusal ? 'refusal' : 'quiet'}>
        {refusal ?? (isNone ? (choices ? own.noChoice : own.readingChoices) : null)}
        {isOpen && list?.isPart && ` ${own.partOfList}`}
      </span>
      {retry && (
        <button
          type="button"
          className="plain"
          onClick={({ currentTarget }) => {
            retry()
            // The button goes while the list is read.
            currentTarget.parentElement!.querySelector('input')!.focus()
            setOpen(text !== null)
          }}
        >
          {texts.retry}
        </button>
      )}
      {children}
    </div>
  )
}
