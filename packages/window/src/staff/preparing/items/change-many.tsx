import type { CategoryId, DeliveryClassId, ItemsChange, MakerId } from '@auction-catalogue/client'
import { catalogue, store, useMay, type Item } from '../../../api/index.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { permissionFor, useChoices, type Kind } from '../../choices.ts'
import type { StepOf } from '../../step.tsx'
import { useStaffTexts } from '../../texts/texts.ts'

// The choice that takes the value away.
const nothing = 'none'

// A component, because the choices may come after the dialog has opened.
function Field({ name, label, kind }: { name: string; label: string; kind: Kind }) {
  const { preparing: own, partOfList, listFailed } = useStaffTexts()
  const texts = useTexts()
  const mayRead = useMay(permissionFor(kind))
  const list = useChoices(kind)
  if (!mayRead) return null
  return (
    <>
      <label>
        {label}
        <select name={name}>
          <option value="">{own.asItIs}</option>
          <option value={nothing}>{own.nothing}</option>
          {list?.choices.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
          {list?.isPart && <option disabled>{partOfList}</option>}
        </select>
      </label>
      {list?.retry && (
        <p className="refusal">
          {listFailed}{' '}
          <button type="button" className="plain" onClick={list.retry}>
            {texts.retry}
          </button>
        </p>
      )}
    </>
  )
}

/** Gives chosen items a category, a maker or a delivery class, or takes it away. */
export function useChangeMany(chosen: readonly Item[], onChanged: () => void): StepOf {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  return {
    title: own.changeItems(chosen.length),
    name: own.change,
    label: own.changeMany,
    fields: (
      <>
        <Field name="category" label={texts.categories} kind="category" />
        <Field name="maker" label={texts.makers} kind="maker" />
        <Field name="delivery" label={texts.deliveryClass} kind="delivery_class" />
      </>
    ),
    run: async ({ category = '', maker = '', delivery = '' }, dryRun) => {
      if (category + maker + delivery === '') throw own.nothingChanged
      const change: Omit<ItemsChange['items'][number], 'item'> = {
        ...(category && { categories: category === nothing ? [] : [category as CategoryId] }),
        ...(maker && { makers: maker === nothing ? [] : [maker as MakerId] }),
        ...(delivery && { delivery_class: delivery === nothing ? null : (delivery as DeliveryClassId) }),
      }
      const items = chosen.map(({ id }) => ({ item: id, ...change }))
      await catalogue().staff.items.updateMany({ items }, { dryRun })
      const losing = chosen.filter(
        (item) =>
          (category && item.categories.some((id) => id !== category)) ||
          (maker && item.makers.some((id) => id !== maker)) ||
          (delivery && item.delivery_class !== null && item.delivery_class !== delivery),
      )
      if (!dryRun) {
        await store.invalidateQueries({ queryKey: ['staff items'] })
        onChanged()
        return own.itemsChanged(chosen.length)
      }
      return (
        <>
          <p>{own.wouldChange(chosen.length)}</p>
          {losing.length > 0 && (
            <>
              <p>{own.wouldReplace(losing.length)}</p>
              <ul className="refusals">
                {losing.slice(0, 50).map((item) => (
                  <li key={item.id}>
                    <b>{item.external_reference}</b> <span dir="auto">{item.title}</span>
                  </li>
                ))}
              </ul>
              {losing.length > 50 && <p className="quiet">{texts.andMore(losing.length - 50)}</p>}
            </>
          )}
        </>
      )
    },
  }
}
