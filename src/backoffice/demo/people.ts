/** Whoever brings objects in, and whoever made them; all of them invented. */

export interface Seller {
  readonly number: number
  readonly name: string | null
  readonly account: string | null
  readonly archived?: boolean
}

export const sellers: readonly Seller[] = [
  { number: 20114, name: 'Erven H.J. van Dalsum', account: 'm.vandalsum' },
  { number: 20127, name: 'Mevrouw G. Oosterling-Baart', account: null },
  { number: 20131, name: 'Stichting Hofje van Sint-Joris', account: 'Hofje van Sint-Joris' },
  { number: 20145, name: null, account: 'Pieter Wynbergen' },
  { number: 20152, name: 'Antiquariaat De Ganzeveer', account: 'De Ganzeveer' },
  { number: 20160, name: 'Drs. R. Kuhlemeijer', account: null },
  { number: 20163, name: 'Familie Terpstra, Franeker', account: 'j.terpstra' },
  { number: 20178, name: 'Dr. Annelore Hückstedt, Münster', account: 'Annelore Hückstedt' },
  { number: 20181, name: 'Collectie Brandsma', account: null },
  { number: 20194, name: 'Nalatenschap A. Vroegindewey', account: 'Notariskantoor Loosman' },
  { number: 20202, name: 'Mr. and Mrs. T. Ashcombe', account: 'Tom Ashcombe' },
  { number: 20209, name: 'Kunsthandel Brouwersgracht', account: 'Kunsthandel Brouwersgracht' },
  { number: 20097, name: 'J. de Pauw', account: null, archived: true },
]

export interface Consignment {
  readonly number: string
  readonly seller: number
  readonly sale: string
  readonly commission: string
  readonly notes: string | null
}

export const consignments: readonly Consignment[] = [
  {
    number: 'C-1121',
    seller: 20114,
    sale: '112',
    commission: '15',
    notes: 'Boedel Zeist. Afrekening aan de drie erven in gelijke delen; verdeelsleutel in het dossier.',
  },
  {
    number: 'C-1122',
    seller: 20127,
    sale: '112',
    commission: '18',
    notes: 'Niet bellen voor elf uur. Onverkocht mag nogmaals, limiet dan een derde lager.',
  },
  {
    number: 'C-1123',
    seller: 20131,
    sale: '112',
    commission: '12.5',
    notes: 'Bestuursbesluit in dossier. Herkomst mag worden genoemd.',
  },
  { number: 'C-1124', seller: 20178, sale: '112', commission: '16', notes: 'Correspondentie in het Duits.' },
  { number: 'C-1131', seller: 20145, sale: '113', commission: '20', notes: null },
  {
    number: 'C-1132',
    seller: 20152,
    sale: '113',
    commission: '12.5',
    notes: 'Handelaarstarief. Factuur met btw-nummer.',
  },
  {
    number: 'C-1133',
    seller: 20160,
    sale: '113',
    commission: '18',
    notes: 'Limieten gelijk aan de lage schatting, met tien procent vrijheid.',
  },
  {
    number: 'C-1134',
    seller: 20163,
    sale: '113',
    commission: '17.5',
    notes: 'Zilver opgehaald in Franeker, overige stukken brengt de familie zelf.',
  },
  {
    number: 'C-1135',
    seller: 20194,
    sale: '113',
    commission: '15',
    notes: 'Via notaris Loosman. Geen namen in de catalogus.',
  },
  {
    number: 'C-1141',
    seller: 20181,
    sale: '114',
    commission: '14',
    notes: 'Collectie in twee delen: deel twee volgt in het voorjaar.',
  },
  {
    number: 'C-1142',
    seller: 20202,
    sale: '114',
    commission: '17.5',
    notes: 'Export licence checked, not needed. Pays in pounds.',
  },
  {
    number: 'C-1143',
    seller: 20209,
    sale: '114',
    commission: '12.5',
    notes: 'Handelaarstarief. Ring en horloge pas na taxatie door de gemmoloog.',
  },
]

export interface Maker {
  readonly ref: string
  readonly name: string
  readonly inactive?: boolean
}

export const makers: readonly Maker[] = [
  { ref: 'hoogerwoud', name: 'Adriaan Hoogerwoud (1838–1904)' },
  { ref: 'steyling', name: 'Jacob Steyling (1851–1921)' },
  { ref: 'dolleman', name: 'Anna Quirina Dolleman (1862–1939)' },
  { ref: 'boelhouwer', name: 'Carel Boelhouwer (1826–1889)' },
  { ref: 'terlaeck', name: 'Willem Terlaeck (1872–1941)' },
  { ref: 'wessem', name: 'Lou van Wessem (1919–1994)' },
  { ref: 'rondeel', name: 'Maartje Rondeel (1908–1987)' },
  { ref: 'ammerzoden', name: 'Dirk Ammerzoden (1880–1956)' },
  { ref: 'seiun', name: 'Takamori Seiun (actief circa 1840–1865)' },
  { ref: 'tiemersma', name: 'Weduwe Tiemersma, uitgever, Amsterdam' },
  { ref: 'tolhoek', name: 'Weduwe J. Tolhoek, Amsterdam' },
  { ref: 'rossekamp', name: 'Van Rossekamp, Schoonhoven' },
  { ref: 'van-aerdenstraten', name: 'Van Aerdenstraten, Den Haag' },
  { ref: 'vauchemin', name: 'Vauchemin, Le Locle' },
  { ref: 'nauwelaers', name: 'Gerrit Nauwelaers, Leiden' },
  { ref: 'klomper', name: 'Jan Barend Klomper, Joure' },
  { ref: 'zonnewende', name: 'Plateelbakkerij Zonnewende, Gouda' },
  { ref: 'drie-eiken', name: 'De Drie Eiken, Heerde' },
  { ref: 'kersbergen', name: 'Meubelfabriek Kersbergen, Culemborg' },
  { ref: 'noordpool', name: 'Noordpool, Amsterdam' },
  { ref: 'kolbmann', name: 'Kolbmann & Söhne, Neurenberg' },
  { ref: 'pluddecke', name: 'Plüddecke, Sonneberg' },
  { ref: 'zonnewende-oud', name: 'Zonnewende (oude schrijfwijze, niet meer gebruiken)', inactive: true },
]
