import type { Language } from '../settings.ts'

const inEnglish = (value: number) => value.toLocaleString('en')
const inDutch = (value: number) => value.toLocaleString('nl')
const inGerman = (value: number) => value.toLocaleString('de')
const inFrench = (value: number) => value.toLocaleString('fr')

const en = {
  paper: 'Paper',
  papers: {
    pages: 'Catalogue, a page a lot',
    list: 'Catalogue list',
    book: 'Auctioneer’s book',
    results: 'Results',
  },
  from: 'From lot',
  to: 'To lot',
  drawing: (n: number, of: number) => `${inEnglish(n)} of ${inEnglish(of)} lots are ready…`,
  loading: (n: number, of: number) => `${inEnglish(n)} of ${inEnglish(of)} photographs are ready…`,
  lots: (n: number) => (n === 1 ? '1 lot' : `${inEnglish(n)} lots`),
  left: (n: number) =>
    n === 1
      ? 'One lot is off or has no number: it is not printed.'
      : `${inEnglish(n)} lots are off or have no number: they are not printed.`,
  untranslated: (n: number, language: string) =>
    n === 1
      ? `One lot has no title in this language (${language}): its texts are printed in the language of the house.`
      : `${inEnglish(n)} lots have no title in this language (${language}): their texts are printed in the language of the house.`,
  none: 'No lot has such a number.',
  opens: (time: string) => `Opens ${time}`,
  premium: (percentage: string) => `Buyer’s premium ${percentage}`,
  lot: 'Lot',
  title: 'Title',
  estimate: 'Estimate',
  startingBid: 'Starting bid',
  highestBid: 'Highest bid',
  paddle: 'Paddle',
  price: 'Price',
  notes: 'Notes',
  result: 'Result',
  withdrawn: 'Withdrawn',
  sold: 'Sold',
  unsold: 'Unsold',
  afterSale: 'Aftersale',
  with: (lot: string) => `Sold together with lot ${lot}`,
  toFollow: 'Closed, result to follow',
  soldShare: 'Sold share',
  total: 'Total of the prices',
  soldOf: (sold: number, of: number) => `${inEnglish(sold)} of ${inEnglish(of)}`,
  withoutPremium: 'Prices are hammer prices, without premium. Withdrawn lots do not count in the sold share.',
}

/** The words of the prints, which have one language while the window may have another. */
export type PrintTexts = typeof en

export const printTexts: Record<Language, PrintTexts> = {
  en,
  nl: {
    paper: 'Drukwerk',
    papers: {
      pages: 'Catalogus, een bladzijde per kavel',
      list: 'Catalogus als lijst',
      book: 'Veilingmeestersboek',
      results: 'Uitslagen',
    },
    from: 'Vanaf kavel',
    to: 'Tot en met kavel',
    drawing: (n, of) => `${inDutch(n)} van ${inDutch(of)} kavels zijn klaar…`,
    loading: (n, of) => `${inDutch(n)} van ${inDutch(of)} foto’s zijn klaar…`,
    lots: (n) => (n === 1 ? '1 kavel' : `${inDutch(n)} kavels`),
    left: (n) =>
      n === 1
        ? 'Eén kavel staat uit of heeft geen nummer: hij wordt niet afgedrukt.'
        : `${inDutch(n)} kavels staan uit of hebben geen nummer: ze worden niet afgedrukt.`,
    untranslated: (n, language) =>
      n === 1
        ? `Eén kavel heeft geen titel in deze taal (${language}): zijn teksten worden in de taal van het huis afgedrukt.`
        : `${inDutch(n)} kavels hebben geen titel in deze taal (${language}): hun teksten worden in de taal van het huis afgedrukt.`,
    none: 'Geen kavel heeft zo’n nummer.',
    opens: (time) => `Opent ${time}`,
    premium: (percentage) => `Opgeld ${percentage}`,
    lot: 'Kavel',
    title: 'Titel',
    estimate: 'Richtprijs',
    startingBid: 'Inzet',
    highestBid: 'Hoogste bod',
    paddle: 'Bieder',
    price: 'Prijs',
    notes: 'Aantekeningen',
    result: 'Uitslag',
    withdrawn: 'Teruggetrokken',
    sold: 'Toegeslagen',
    unsold: 'Onverkocht',
    afterSale: 'Naverkoop',
    with: (lot) => `Toegeslagen samen met kavel ${lot}`,
    toFollow: 'Gesloten, uitslag volgt',
    soldShare: 'Aandeel toegeslagen',
    total: 'Totaal van de prijzen',
    soldOf: (sold, of) => `${inDutch(sold)} van ${inDutch(of)}`,
    withoutPremium:
      'Prijzen zijn hamerprijzen, zonder opgeld. Teruggetrokken kavels tellen niet mee in het aandeel toegeslagen.',
  },
  de: {
    paper: 'Ausdruck',
    papers: {
      pages: 'Katalog, eine Seite je Los',
      list: 'Katalog als Liste',
      book: 'Buch des Auktionators',
      results: 'Ergebnisse',
    },
    from: 'Von Los',
    to: 'Bis Los',
    drawing: (n, of) => `${inGerman(n)} von ${inGerman(of)} Losen sind bereit…`,
    loading: (n, of) => `${inGerman(n)} von ${inGerman(of)} Fotos sind bereit…`,
    lots: (n) => (n === 1 ? '1 Los' : `${inGerman(n)} Lose`),
    left: (n) =>
      n === 1
        ? 'Ein Los ist ausgeschaltet oder hat keine Nummer: Es wird nicht gedruckt.'
        : `${inGerman(n)} Lose sind ausgeschaltet oder haben keine Nummer: Sie werden nicht gedruckt.`,
    untranslated: (n, language) =>
      n === 1
        ? `Ein Los hat keinen Titel in dieser Sprache (${language}): Seine Texte werden in der Sprache des Hauses gedruckt.`
        : `${inGerman(n)} Lose haben keinen Titel in dieser Sprache (${language}): Ihre Texte werden in der Sprache des Hauses gedruckt.`,
    none: 'Kein Los hat eine solche Nummer.',
    opens: (time) => `Beginn ${time}`,
    premium: (percentage) => `Aufgeld ${percentage}`,
    lot: 'Los',
    title: 'Titel',
    estimate: 'Schätzpreis',
    startingBid: 'Startgebot',
    highestBid: 'Höchstgebot',
    paddle: 'Bieter',
    price: 'Preis',
    notes: 'Notizen',
    result: 'Ergebnis',
    withdrawn: 'Zurückgezogen',
    sold: 'Zuschlag',
    unsold: 'Unverkauft',
    afterSale: 'Nachverkauf',
    with: (lot) => `Zuschlag zusammen mit Los ${lot}`,
    toFollow: 'Geschlossen, Ergebnis folgt',
    soldShare: 'Zuschlagsquote',
    total: 'Summe der Preise',
    soldOf: (sold, of) => `${inGerman(sold)} von ${inGerman(of)}`,
    withoutPremium: 'Preise sind Zuschlagspreise ohne Aufgeld. Zurückgezogene Lose zählen in der Quote nicht.',
  },
  fr: {
    paper: 'Document',
    papers: {
      pages: 'Catalogue, une page par lot',
      list: 'Liste du catalogue',
      book: 'Livre du commissaire-priseur',
      results: 'Résultats',
    },
    from: 'Du lot',
    to: 'Au lot',
    drawing: (n, of) => `${inFrench(n)} lots sur ${inFrench(of)} sont prêts…`,
    loading: (n, of) => `${inFrench(n)} photographies sur ${inFrench(of)} sont prêtes…`,
    lots: (n) => (n === 1 ? '1 lot' : `${inFrench(n)} lots`),
    left: (n) =>
      n === 1
        ? 'Un lot est désactivé ou sans numéro : il n’est pas imprimé.'
        : `${inFrench(n)} lots sont désactivés ou sans numéro : ils ne sont pas imprimés.`,
    untranslated: (n, language) =>
      n === 1
        ? `Un lot n’a pas de titre dans cette langue (${language}) : ses textes sont imprimés dans la langue de la maison.`
        : `${inFrench(n)} lots n’ont pas de titre dans cette langue (${language}) : leurs textes sont imprimés dans la langue de la maison.`,
    none: 'Aucun lot n’a un tel numéro.',
    opens: (time) => `Ouverture ${time}`,
    premium: (percentage) => `Frais acheteur ${percentage}`,
    lot: 'Lot',
    title: 'Titre',
    estimate: 'Estimation',
    startingBid: 'Mise à prix',
    highestBid: 'Meilleure enchère',
    paddle: 'Acheteur',
    price: 'Prix',
    notes: 'Notes',
    result: 'Résultat',
    withdrawn: 'Retiré',
    sold: 'Adjugé',
    unsold: 'Invendu',
    afterSale: 'Vente après-vente',
    with: (lot) => `Adjugé avec le lot ${lot}`,
    toFollow: 'Clos, résultat à suivre',
    soldShare: 'Part adjugée',
    total: 'Total des prix',
    soldOf: (sold, of) => `${inFrench(sold)} sur ${inFrench(of)}`,
    withoutPremium: 'Prix au marteau, hors frais. Les lots retirés ne comptent pas dans la part adjugée.',
  },
}
