import { hall, online } from './bidding.ts'
import type { Strategy } from './bidding.ts'
import type { Text } from './pieces/piece.ts'

export interface Sitting {
  readonly reference: string
  readonly titles: Text
  readonly opens: Date
  readonly strategy: Strategy
  readonly premium: string
  readonly state: 'draft' | 'open' | 'finished'
  readonly timed?: { firstCloses: Date; groupSize: number; interval: number; threshold: number; extension: number }
  readonly live?: { closes: Date }
  readonly firstNumber: number
  /** Refs of pieces in the order of their numbers. */
  readonly lots: readonly string[]
  /** Withdrawn, or not yet released: inactive. */
  readonly inactive: readonly string[]
  /** No bid, and bids that stayed below the reserve. */
  readonly passed: readonly string[]
  readonly unreached: readonly string[]
  /** Seconds before the scheduled close at which late bids came in. */
  readonly late: Readonly<Record<string, readonly number[]>>
}

export interface Sale {
  readonly number: string
  readonly title: string
  readonly description: string
  readonly published: boolean
  readonly sittings: readonly Sitting[]
}

const clock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Amsterdam',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
})

/** What the clock in Amsterdam shows at an instant, as if it were UTC. */
function wall(instant: number): number {
  const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  return Date.UTC(parts['year'] ?? 0, (parts['month'] ?? 1) - 1, parts['day'], parts['hour'], parts['minute'])
}

/** An hour of the day in Amsterdam, so many days from the day of `now`. */
export function atHour(now: Date, days: number, hour: number): Date {
  const today = new Date(wall(now.getTime()))
  const wanted = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days, hour)
  return new Date(wanted - (wall(wanted) - wanted))
}

const refs = (text: string) => text.trim().split(/\s+/)

const settled = { inactive: [], passed: [], unreached: [], late: {} }

/** The three sales of the demo house as they stand at `now`: gone by, running, coming. */
export function sales(now: Date): Sale[] {
  const minute = Math.floor(now.getTime() / 60_000) * 60_000
  const seconds = Math.floor((now.getTime() - minute) / 1000)
  return [
    {
      number: '112',
      title: 'Veiling 112: schilderijen, interieur en Aziatische kunst',
      description:
        'Stukken uit een buitenhuis te Zeist, het Hofje van Sint-Joris en enkele particuliere verzamelingen. De eerste zitting sluit online, de tweede wordt in de zaal geveild.',
      published: true,
      sittings: [
        {
          ...settled,
          reference: 'veiling-112-online',
          titles: [
            'Interieur, keramiek en curiosa (online)',
            'Interiors, ceramics and curiosities (online)',
            'Interieur, Keramik und Kuriosa (online)',
          ],
          opens: atHour(now, -29, 10),
          strategy: online,
          premium: '25',
          state: 'finished',
          timed: { firstCloses: atHour(now, -22, 19), groupSize: 1, interval: 60, threshold: 120, extension: 120 },
          firstNumber: 1,
          lots: refs(`
            hoogerwoud-avond portret-koopman vogelboek provinciegeschiedenis ammerzoden-dorp commode-kersen
            stoelen-paar kinderstoel spiegel-zwart pendule-zwart kantoorklok kandelaars-kaarsen-tin dessertcouvert
            kraakbord-delft tegels-mangaan zonnewende-klein drie-eiken-schaal kelkglazen-zes blauw-witte-borden
            kuipstoel-kersbergen blikken-auto-blauw scheepsmodel-visser`),
          inactive: ['kelkglazen-zes'],
          passed: ['commode-kersen', 'drie-eiken-schaal', 'spiegel-zwart'],
          unreached: ['portret-koopman'],
          late: { 'hoogerwoud-avond': [70], dessertcouvert: [95, 41, -22], 'blikken-auto-blauw': [14, -80] },
        },
        {
          ...settled,
          reference: 'veiling-112-zaal',
          titles: [
            'Schilderijen, zilver en Aziatische kunst (zaal)',
            'Paintings, silver and Asian art (saleroom)',
            'Gemälde, Silber und Asiatika (Saal)',
          ],
          opens: atHour(now, -29, 10),
          strategy: hall,
          premium: '26.5',
          state: 'finished',
          live: { closes: atHour(now, -21, 13) },
          firstNumber: 101,
          lots: refs(`
            hoogerwoud-herfst steyling-avondlicht dolleman-asters portret-regentes rondeel-reiger
            klassieken-perkament kaart-waterschap kast-hang staand-horloge-mahonie theepot-bol presenteerblad-1779
            koffiekan-empire delfts-bekervazen gemberpot overgangsvaas seiun-ochtend ring-smaragd broche-zeeuws
            horloge-goud locomotief-spoor1`),
          passed: ['overgangsvaas', 'kast-hang'],
          unreached: ['portret-regentes'],
        },
      ],
    },
    {
      number: '113',
      title: 'Veiling 113: kunst en antiek, online',
      description:
        'Vijfenveertig kavels van een Friese zilverkast tot een Neurenbergse blikken limousine. Om de tien minuten sluiten twee kavels; wie in de laatste vijf minuten biedt, verlengt de kavel met vijf minuten.',
      published: true,
      sittings: [
        {
          ...settled,
          reference: 'veiling-113-online',
          titles: ['Kunst en antiek (online)', 'Art and antiques (online)', 'Kunst und Antiquitäten (online)'],
          opens: atHour(now, -1, 10),
          strategy: online,
          premium: '25',
          state: 'open',
          timed: {
            firstCloses: new Date(minute - 21 * 60_000),
            groupSize: 2,
            interval: 600,
            threshold: 300,
            extension: 300,
          },
          firstNumber: 1,
          lots: refs(`
            kandelaars-rossekamp kaart-zuiderzee delfts-bord-ster zakhorloge-zilver steyling-bomschuit blikken-auto
            hoogerwoud-molen wessem-blauw rondeel-twee-figuren reisbeschrijvingen ammerzoden-map terlaeck-studie
            commode-lodewijk miniatuurkast stoelen-zes spiegel-verguld fauteuils-paar-oker pendule-marmer
            stoelklok-klomper microscoop zakhorloge-goud couvert-haags-lofje theebus strooibus-tolhoek
            kandelaber-verguld penningen tegels-schepen delfts-dekselvaas zonnewende-vaas-iris roemer-geradeerd
            theepot-porselein famille-verte-schotel imari-kom famille-rose-kom seiun-avondregen
            rolschildering-bamboe broche-saffier oorbellen-granaat oorbellen-aquamarijn horloge-vauchemin
            lamp-noordpool-groen kuipstoelen-vier beer-pluddecke poppenhuis scheepsmodel-fregat`),
          passed: [
            'zakhorloge-zilver',
            'spiegel-verguld',
            'kandelaber-verguld',
            'theepot-porselein',
            'rolschildering-bamboe',
            'stoelklok-klomper',
            'lamp-noordpool-groen',
            'scheepsmodel-fregat',
          ],
          // The last of these bids came in twenty seconds before `now`.
          late: { 'kandelaars-rossekamp': [40], 'steyling-bomschuit': [240, 131, 20, -40 - seconds] },
        },
      ],
    },
    {
      number: '114',
      title: 'Veiling 114: collectie Brandsma en andere inzendingen',
      description:
        'In voorbereiding. De collectie Brandsma (zilver, Aziatische kunst en uurwerken), aangevuld met schilderijen, design en speelgoed.',
      published: false,
      sittings: [
        {
          ...settled,
          reference: 'veiling-114-online',
          titles: [
            'Grafiek, design en speelgoed (online)',
            'Prints, design and toys (online)',
            'Grafik, Design und Spielzeug (online)',
          ],
          opens: atHour(now, 18, 10),
          strategy: online,
          premium: '25',
          state: 'draft',
          timed: { firstCloses: atHour(now, 25, 19), groupSize: 2, interval: 120, threshold: 120, extension: 120 },
          firstNumber: 1,
          lots: refs(`
            ammerzoden-gracht terlaeck-houtskool portret-koopman bloemenalbum commode-kersen tafel-noten
            fauteuil-groen theetafel-mahonie banjo-barometer presenteerblad-klein geboortelepels delfts-borden-paar
            zonnewende-pot glasschaal lamp-rood kuipstoel-kind drie-eiken-vloervaas beer-wit locomotief-spoor0
            parelcollier ring-granaat`),
          inactive: [
            'theetafel-mahonie',
            'geboortelepels',
            'lamp-rood',
            'locomotief-spoor0',
            'parelcollier',
            'ring-granaat',
          ],
        },
        {
          ...settled,
          reference: 'veiling-114-zaal',
          titles: [
            'Collectie Brandsma, schilderijen en juwelen (zaal)',
            'The Brandsma collection, paintings and jewels (saleroom)',
            'Sammlung Brandsma, Gemälde und Schmuck (Saal)',
          ],
          opens: atHour(now, 18, 10),
          strategy: hall,
          premium: '26.5',
          state: 'draft',
          live: { closes: atHour(now, 26, 13) },
          firstNumber: 201,
          lots: refs(`
            dolleman-boeket boelhouwer-ijsgezicht terlaeck-lezende-vrouw wessem-compositie kruidboek-tiemersma
            kaartenset-globe kabinet-eiken staand-horloge-nauwelaers koffiekan-tolhoek tabaksdoos-friesland
            kangxi-vaas overgangsvaas chawan-raku lakdoos-japan ring-diamant ring-saffier bloedkoraal lamp-noordpool`),
          inactive: ['kabinet-eiken', 'ring-diamant', 'ring-saffier'],
        },
      ],
    },
  ]
}
