import { has, is, numbers } from './patterns.ts'

/**
 * A reserve, below which the house does not sell. It stays between house and seller, and the catalogue has no field for it.
 */
export const reserve = has(`
  res rsv rsrv lim reserve* reserva* riserva* rezerw* *limit *limite *limiten *limiet* limitpreis* limitprijs* limitprice limitar*
  fenntart* zastrzez* ochronn* *vorbehalt* ophoud*`)

/** Words that mean a reserve in a heading without an estimate. */
export const minimum = has(`
  mindest* minim*prijs minim*preis minim*bod minim*opbrengst minim*ar min*_price min*_prijs min*_bid min*_bod min*_amount
  min*_opbrengst prix_min* prix_plancher prezzo_min* precio_min* puja_min* cena_min* bodemprijs ondergrens untergrenze
  floor floor_price bottom_price vendor_min seller_min consignor_min`)

export const estimate = has(`
  *schatting* *taxatie* richtprij* prijsindicatie raming ramingen geschat*
  estimat* est presale guide guide_price valuation lowest highest
  schatz* schaetz* geschatzt* *mindestschatz* *mindestschaetz* taxe taxen taxwert taxpreis richtpreis* richtwert*
  prisee estimac* estimado estimee evaluation fourchette tasacion valoracion horquilla stima stime stimato
  valutazione forchetta szacun* estymac* wycena becs* becsult`)

const lowerWords = `
  lag* laag* van lo low* min* from von ab unter* nied* bas basse baja bajo desde basso bassa da od doln* also`

const upperWords = `
  hog* hoog* tot hi high* max* upper to bis ober* hoch* haut haute alta alto hasta massim* do gorn* felso`

// The bounds of `Estimación de / a`, `Stima da / a`, `Estimation de / à` and `400-tól / 600-ig`.
export const lower = new RegExp(`${has(lowerWords).source}| (?:de|tol)$`)

export const upper = new RegExp(`${has(upperWords).source}| (?:a|ig)$`)

/** One bound of two. */
export const bound = is(`${lowerWords} ${upperWords} de tol a ig`)

const measures =
  'hoch|alt|alto|haut|largh?|lungh?|prof|dikte|dicke|' +
  '[hbdlwtpasø]|ho|br|wys|szer|gl|dl|sr|mag|szel|mely|dm|diam?|largo|fondo|cm|mm|m|inch|in'

/** Words below a heading: measures, units, and the numbers of several columns. */
export const sub = new RegExp(
  `^(?:(?:${measures})(?: ?x? ?(?:${measures}))*|kg|g|gr|gram|oz|lbs?|ct|eur|euro|usd|gbp|chf|pln|huf|zl|ft|\\d)$`,
)

/** Words that fit too many fields. */
export const general = new RegExp(
  `^(?:${numbers}|naam|name|nom|nombre|nome|nazwa|nazwisko|nev|ref|referentie|reference|referenz|referencia|riferimento|datum|date|fecha|data)$`,
)

/** A heading that only names an upper bound, such as `bis` behind `Schätzpreis von`. */
export const upperAlone = is('tot to bis max* high hoog haut haute hasta do')

export const premium = has(`
  opgeld aufgeld kauferaufgeld koperspremie premium bp frais_acheteur frais_acheteurs diritti_d_asta prima_del_comprador`)

/** A date without a time. */
export const date = has('*datum date fecha data')

/** A price of an unknown kind. */
export const price = has(
  'prijs* price prices preis* prix precio* prezz* cena ceny ar valeur value wert waarde valor valore',
)
