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

const western = ['utf-8', 'windows-1252', 'macintosh', 'utf-16le', 'iso-8859-15', 'cp850']

const language = (
  locale: string,
  headings: string,
  estimate: string,
  words: string,
  decimal: ',' | '.',
  encodings: string[] = western,
): Language => {
  const [reference, title, description, low, high, maker] = headings.split('|') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [sum, none, unknown] = words.split('|') as [string, string, string]
  return {
    locale,
    headings: { reference, title, description, low, high, maker },
    estimate: estimate.split('|') as Language['estimate'],
    sum,
    none,
    unknown,
    decimal,
    encodings,
  }
}

/** The languages of the locales. */
export const languages: Language[] = [
  language(
    'nl',
    'Objectnummer|Titel|Omschrijving|Lage schatting|Hoge schatting|Kunstenaar',
    'Schatting|laag|hoog',
    'Totaal|n.v.t.|onbekend',
    ',',
  ),
  language(
    'en',
    'Inventory No|Title|Description|Low estimate|High estimate|Artist',
    'Estimate|Low|High',
    'Total|n/a|unknown',
    '.',
  ),
  language(
    'fr',
    'Référence|Titre|Description|Estimation basse|Estimation haute|Artiste',
    'Estimation|basse|haute',
    'Total|aucun|inconnu',
    ',',
  ),
  language(
    'de',
    'Objekt-Nr.|Titel|Beschreibung|Schätzpreis von|Schätzpreis bis|Künstler',
    'Schätzpreis|von|bis',
    'Summe|keine|unbekannt',
    ',',
  ),
  language(
    'es',
    'Referencia|Título|Descripción|Estimación mínima|Estimación máxima|Autor',
    'Estimación|baja|alta',
    'Total|ninguno|anónimo',
    ',',
  ),
  language(
    'it',
    'Codice|Titolo|Descrizione|Stima min.|Stima max.|Artista',
    'Stima|min.|max.',
    'Totale|nessuno|ignoto',
    ',',
  ),
  language(
    'pl',
    'Sygnatura|Tytuł|Opis|Estymacja dolna|Estymacja górna|Autor',
    'Estymacja|od|do',
    'Razem|brak|nieznany',
    ',',
    ['utf-8', 'windows-1250', 'utf-16le', 'iso-8859-2', 'cp852'],
  ),
  language(
    'hu',
    'Azonosító|Cím|Leírás|Becsérték alsó|Becsérték felső|Művész',
    'Becsérték|alsó|felső',
    'Összesen|nincs|ismeretlen',
    ',',
    ['utf-8', 'windows-1250', 'utf-16le', 'iso-8859-2', 'cp852'],
  ),
  language('zh', '编号|名称|描述|估价下限|估价上限|作者', '估价|低|高', '合计|无|佚名', '.', [
    'utf-8',
    'gbk',
    'utf-16le',
  ]),
]
