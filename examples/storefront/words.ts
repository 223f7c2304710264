const languages = ['en', 'nl', 'de', 'fr']
// The forms of times and amounts.
const regions = ['en-GB', 'nl-NL', 'de-DE', 'fr-FR']

const words = {
  search: ['Search the lots', 'Zoek in de kavels', 'Lose suchen', 'Rechercher un lot'],
  salesOf: ['The sales of {}', 'De veilingen van {}', 'Die Auktionen von {}', 'Les ventes de {}'],
  running: ['Running now', 'Nu bezig', 'Läuft gerade', 'En cours'],
  coming: ['Coming', 'Binnenkort', 'Demnächst', 'À venir'],
  over: ['Past', 'Geweest', 'Vergangen', 'Passées'],
  none: ['No sale is announced.', 'Er is geen veiling aangekondigd.', 'Keine Auktion angekündigt.', 'Aucune vente.'],
  since: ['Since', 'Sinds', 'Seit', 'Depuis'],
  opens: ['Opens', 'Opent', 'Beginn', 'Ouverture'],
  firstCloses: ['The first lot closes', 'De eerste kavel sluit', 'Das erste Los schließt', 'Clôture du premier lot'],
  onlineCloses: ['Online bidding closes', 'Online bieden sluit', 'Onlinegebote bis', 'Clôture des enchères en ligne'],
  oneLot: ['1 lot', '1 kavel', '1 Los', '1 lot'],
  lots: ['{} lots', '{} kavels', '{} Lose', '{} lots'],
  manyLots: ['More than {} lots', 'Meer dan {} kavels', 'Mehr als {} Lose', 'Plus de {} lots'],
  lot: ['Lot {}', 'Kavel {}', 'Los {}', 'Lot {}'],
  estimate: ['Estimate', 'Richtprijs', 'Schätzpreis', 'Estimation'],
  startingBid: ['Starting bid', 'Inzet', 'Startgebot', 'Mise à prix'],
  currentBid: ['Current bid', 'Huidig bod', 'Aktuelles Gebot', 'Enchère actuelle'],
  highestBid: ['Highest bid', 'Hoogste bod', 'Höchstgebot', 'Meilleure enchère'],
  premium: ['Buyer’s premium', 'Opgeld', 'Aufgeld', 'Frais acheteur'],
  sold: ['Sold', 'Toegeslagen', 'Zuschlag', 'Adjugé'],
  unsold: ['Unsold', 'Onverkocht', 'Unverkauft', 'Invendu'],
  withdrawn: ['Withdrawn', 'Teruggetrokken', 'Zurückgezogen', 'Retiré'],
  afterSale: ['Aftersale', 'Naverkoop', 'Nachverkauf', 'Vente après-vente'],
  soldWith: ['Sold together with', 'Toegeslagen samen met', 'Zuschlag zusammen mit', 'Adjugé avec'],
  closed: [
    'Closed, result to follow',
    'Gesloten, uitslag volgt',
    'Geschlossen, Ergebnis folgt',
    'Clos, résultat à suivre',
  ],
  closes: ['Closes', 'Sluit', 'Schließt', 'Clôture'],
  condition: ['Condition', 'Conditie', 'Zustand', 'État'],
  dimensions: ['Dimensions', 'Afmetingen', 'Maße', 'Dimensions'],
  weight: ['Weight', 'Gewicht', 'Gewicht', 'Poids'],
  session: ['Sales', 'Veilingen', 'Auktionen', 'Ventes'],
  maker: ['Makers', 'Makers', 'Urheber', 'Auteurs'],
  category: ['Categories', 'Categorieën', 'Kategorien', 'Catégories'],
  neighbours: ['Other lots of the sale', 'Andere kavels van de veiling', 'Andere Lose der Auktion', 'Autres lots'],
  narrow: ['Narrow and order', 'Verfijnen en ordenen', 'Eingrenzen und ordnen', 'Affiner et trier'],
  order: ['Order', 'Volgorde', 'Reihenfolge', 'Ordre'],
  relevance: ['best match', 'beste overeenkomst', 'beste Treffer', 'pertinence'],
  lot_number: ['lot number', 'kavelnummer', 'Losnummer', 'numéro de lot'],
  closes_at: ['closing first', 'sluit het eerst', 'schließt zuerst', 'clôture la plus proche'],
  '-estimate': ['highest estimate', 'hoogste richtprijs', 'höchster Schätzpreis', 'estimation décroissante'],
  '-current_bid': ['highest bid', 'hoogste bod', 'höchstes Gebot', 'enchère décroissante'],
  more: ['More lots', 'Meer kavels', 'Weitere Lose', 'Plus de lots'],
  beginning: ['To the first lots', 'Naar de eerste kavels', 'Zu den ersten Losen', 'Aux premiers lots'],
  all: ['All lots', 'Alle kavels', 'Alle Lose', 'Tous les lots'],
  asked: ['Searched for “{}”', 'Gezocht naar “{}”', 'Gesucht: „{}“', 'Recherche : « {} »'],
  instead: [
    '“{}” is in no lot. Found:',
    '“{}” staat in geen kavel. Gevonden:',
    '„{}“ hat kein Los. Gefunden:',
    '« {} » absent. Trouvé :',
  ],
  nothing: [
    'None of the lots of the published sales has this.',
    'Geen van de kavels in de gepubliceerde veilingen heeft dit.',
    'Keines der Lose in den veröffentlichten Auktionen hat das.',
    'Aucun des lots des ventes publiées ne correspond.',
  ],
  relaxed: [
    'No lot has all these words. Some were left out.',
    'Geen kavel heeft al deze woorden. Er zijn woorden weggelaten.',
    'Kein Los hat alle diese Wörter. Einige wurden weggelassen.',
    'Aucun lot ne contient tous ces mots. Certains ont été laissés de côté.',
  ],
  indexing: [
    'The catalogue is being indexed: some lots may be missing.',
    'De catalogus wordt geïndexeerd: er kunnen kavels ontbreken.',
    'Der Katalog wird indexiert: Es können Lose fehlen.',
    'Le catalogue est en cours d’indexation : des lots peuvent manquer.',
  ],
  magnify: ['Magnify: {}', 'Vergroot: {}', 'Vergrößern: {}', 'Agrandir : {}'],
  photograph: ['photograph {}', 'foto {}', 'Foto {}', 'photographie {}'],
  magnifier: ['Magnifier', 'Vergrootglas', 'Lupe', 'Loupe'],
  smaller: ['Smaller', 'Kleiner', 'Kleiner', 'Plus petit'],
  larger: ['Larger', 'Groter', 'Größer', 'Plus grand'],
  whole: ['Whole picture', 'Hele foto', 'Ganzes Bild', 'Image entière'],
  fullScreen: ['Full screen', 'Volledig scherm', 'Vollbild', 'Plein écran'],
  close: ['Close', 'Sluiten', 'Schließen', 'Fermer'],
  notFound: [
    'There is no such page',
    'Deze pagina bestaat niet',
    'Diese Seite gibt es nicht',
    'Cette page n’existe pas',
  ],
  badSearch: [
    'Nothing can be searched for with these signs',
    'Met deze tekens kan niet worden gezocht',
    'Nach diesen Zeichen kann nicht gesucht werden',
    'Ces signes ne permettent pas de recherche',
  ],
  away: [
    'The catalogue cannot be reached at the moment',
    'De catalogus is op dit moment niet bereikbaar',
    'Der Katalog ist zurzeit nicht erreichbar',
    'Le catalogue est inaccessible pour le moment',
  ],
  prepared: ['In preparation', 'In voorbereiding', 'In Vorbereitung', 'En préparation'],
} satisfies Record<string, [en: string, nl: string, de: string, fr: string]>
export type Word = keyof typeof words

/** The language of the pages of a house: its own, or English if there are no words in it. */
export function chooseLanguage(locale: string) {
  const column = Math.max(0, languages.indexOf(locale))
  return {
    language: languages[column]!,
    region: regions[column]!,
    /** A word, with a value in the place of its braces. */
    say: (word: Word, value: string | number = '') => words[word][column]!.replace('{}', () => String(value)),
  }
}
