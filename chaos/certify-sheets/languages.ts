/** A language of sheets: its headings, how it writes amounts and dates, and the encodings that houses save it in. */
export type Language = {
  locale: string
  headings: { reference: string; title: string; description: string; low: string; high: string; maker: string }
  /** The upper and the two lower headings of an estimate in two rows. */
  estimate: [upper: string, low: string, high: string]
  sum: string
  none: string
  unknown: string
  decimal: ',' | '.'
  encodings: string[]
}

type Seven = [string, string, string, string, string, string, string]
type Cells = [...Seven, ...Seven]

const western = 'utf-8 windows-1252 macintosh utf-16le iso-8859-15 cp850'
const central = 'utf-8 windows-1250 utf-16le iso-8859-2 cp852'

// The locale, the six headings, the three of an estimate, the words for a sum, for none and for an unknown maker, and the
// decimal sign.
const table = `
nl|Objectnummer|Titel|Omschrijving|Lage schatting|Hoge schatting|Kunstenaar|Schatting|laag|hoog|Totaal|n.v.t.|onbekend|,
en|Inventory No|Title|Description|Low estimate|High estimate|Artist|Estimate|Low|High|Total|n/a|unknown|.
fr|Référence|Titre|Description|Estimation basse|Estimation haute|Artiste|Estimation|basse|haute|Total|aucun|inconnu|,
de|Objekt-Nr.|Titel|Beschreibung|Schätzpreis von|Schätzpreis bis|Künstler|Schätzpreis|von|bis|Summe|keine|unbekannt|,
es|Referencia|Título|Descripción|Estimación mínima|Estimación máxima|Autor|Estimación|baja|alta|Total|ninguno|anónimo|,
it|Codice|Titolo|Descrizione|Stima min.|Stima max.|Artista|Stima|min.|max.|Totale|nessuno|ignoto|,
pl|Sygnatura|Tytuł|Opis|Estymacja dolna|Estymacja górna|Autor|Estymacja|od|do|Razem|brak|nieznany|,
hu|Azonosító|Cím|Leírás|Becsérték alsó|Becsérték felső|Művész|Becsérték|alsó|felső|Összesen|nincs|ismeretlen|,
zh|编号|名称|描述|估价下限|估价上限|作者|估价|低|高|合计|无|佚名|.`

const encodings: { [locale: string]: string } = { pl: central, hu: central, zh: 'utf-8 gbk utf-16le' }

/** The languages of the locales. */
export const languages: Language[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [locale, reference, title, description, low, high, maker, ...others] = line.split('|') as Cells
    const [upper, lower, higher, sum, none, unknown, decimal] = others
    return {
      locale,
      headings: { reference, title, description, low, high, maker },
      estimate: [upper, lower, higher],
      sum,
      none,
      unknown,
      decimal: decimal as Language['decimal'],
      encodings: (encodings[locale] ?? western).split(' '),
    }
  })
