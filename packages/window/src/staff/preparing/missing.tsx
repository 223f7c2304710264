import type { Session } from '@auction-catalogue/client'
import { Link } from '@tanstack/react-router'
import { useHouse, useLots, type Lot } from '../../api/index.ts'
import { useSoFar } from '../../session/so-far.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { findLacks, findLanguages, type Lack } from './lacks.ts'

const noLots: Lot[] = []
// So many lots of a kind are listed. Those that are mended make room for others.
const most = 100
const kinds: Lack[] = ['photograph', 'text', 'translation', 'estimate', 'startingBid']

/** What the lots of a session lack, so far as they are read. Each line leads to the place where it is mended. */
export function Missing({ session }: { session: Session }) {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const { locale } = useHouse()!
  const { data } = useLots(session.id)
  const soFar = useSoFar(session.id)
  const lots = data?.lots ?? noLots
  const languages = findLanguages(lots, locale)
  const lacking = new Map<Lack, Lot[]>(kinds.map((kind) => [kind, []]))
  for (const lot of lots) for (const lack of findLacks(lot, languages)) lacking.get(lack)!.push(lot)
  const found = [...lacking].filter(([, each]) => each.length > 0)
  if (found.length === 0 && !soFar)
    return <p className="quiet">{lots.length === 0 ? texts.noLots : own.nothingMissing}</p>
  return (
    <>
      {soFar && <p className="quiet">{soFar}</p>}
      {found.map(([lack, each]) => (
        <details key={lack}>
          <summary>{own.lotsWithout(each.length, own.lacks[lack])}</summary>
          <ul>
            {each.slice(0, most).map((lot) => (
              <li key={lot.id}>
                <Link
                  to={lack === 'startingBid' ? '/sessions/$session/prepare' : '/sessions/$session/lots/$lot'}
                  params={{ session: session.id, lot: lot.id }}
                  search={lack === 'startingBid' ? { lot: lot.id } : {}}
                  preload={false}
                >
                  <b>{lot.lot_number ?? '–'}</b> <span dir="auto">{lot.title}</span>
                </Link>
              </li>
            ))}
          </ul>
          {each.length > most && <p className="quiet">{texts.andMore(each.length - most)}</p>}
        </details>
      ))}
    </>
  )
}
