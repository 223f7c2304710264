import { useHouse, useMay } from '../../api/index.ts'
import { Conflict } from '../../lot/conflict.tsx'
import { useSettings } from '../../settings.ts'
import { Combobox } from '../combobox.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { makeChoice, permissionFor, useChosen, useOffered, type Kind, type Related } from '../choices.ts'
import { focusField, type Editing } from './editing.ts'

export const listIds = (value: string | undefined): string[] => (value ?? '').split(' ').filter((id) => id !== '')

/** A record that belongs to the item, or several, found by typing. Without the permission to read them: why not. */
export function RelatedField(props: {
  kind: Kind
  name: string
  label: string
  editing: Editing
  isMany?: boolean
  onChoose?: (choice: Related | null) => void
}) {
  const { kind, name, label, editing, isMany = false, onChoose } = props
  const { values, stored, change, conflicts, wrong, choose } = editing
  const own = useStaffTexts().cataloguing
  const { language } = useSettings()
  const { locale } = useHouse()!
  const permission = permissionFor(kind)
  const may = useMay(permission)
  const list = useOffered(kind)
  const ids = listIds(values[name])
  const chosen = useChosen(kind, ids)
  const theirs = useChosen(kind, listIds(stored[name]))
  if (!may)
    return (
      <div className="combobox">
        {label}
        <p className="quiet">{own.keyLacks(permission)}</p>
      </div>
    )
  const take = (choice: Related | null) => {
    if (!isMany) return onChoose ? onChoose(choice) : change({ [name]: choice?.id ?? '' })
    if (choice) change({ [name]: [...ids.filter((id) => id !== choice.id), choice.id].join(' ') })
  }
  return (
    <Combobox
      name={name}
      label={label}
      list={
        list && {
          ...list,
          choices: list.choices.filter(({ id, hasEnded }) => !hasEnded && (!isMany || !ids.includes(id))),
        }
      }
      chosen={isMany ? '' : ids.length > 0 ? (chosen[0]?.name ?? '…') : ''}
      isWrong={wrong.includes(name)}
      onChoose={take}
      onMake={(typed) => makeChoice(kind, typed, locale, own.isLocked)}
    >
      {isMany && ids.length > 0 && (
        <ul className="chosen">
          {ids.map((id) => {
            const found = chosen.find((choice) => choice.id === id)?.name ?? '…'
            return (
              <li key={id}>
                <span dir="auto">{found}</span>
                <button
                  type="button"
                  className="plain"
                  aria-label={own.remove(found)}
                  onClick={() => {
                    change({ [name]: ids.filter((each) => each !== id).join(' ') })
                    focusField(name)
                  }}
                >
                  ×
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {conflicts.includes(name) && (
        <Conflict
          theirs={theirs.map((each) => each.name).join(', ')}
          language={language}
          onChoose={(isMine) => choose(name, isMine)}
        />
      )}
    </Combobox>
  )
}
