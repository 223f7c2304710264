// Words of headings in nl, en, de, fr, es, it, pl and hu, in small letters without accents: `*` is the rest of a word, `_` a
// space, `nr` before or behind a word a number in any language.
const numbers = '(?:nrs?|nos?|num|nummer|numbers?|numeros?|n|numer|szam|szama|id|code)'
const toPattern = (list: string) =>
  list
    .trim()
    .replaceAll(/\s+/g, '|')
    .replaceAll('_nr', ` ?${numbers}`)
    .replaceAll('nr_', `${numbers}(?: del?| du)? `)
    .replaceAll('*', '\\w*')
    .replaceAll('_', ' ')
const has = (list: string) => new RegExp(`\\b(?:${toPattern(list)})\\b`)
const is = (list: string) => new RegExp(`^(?:${toPattern(list)})$`)

/** What the house does not sell below. It is between house and seller, and the catalogue has no field for it. */
export const reserve = has(`
  reserve* reserva* riserva* rezerw* *limit *limite *limiten *limiet* limitpreis* limitprijs* limitprice limitar*
  *vorbehalt* ophoud*`)

/** What may mean a reserve, where the heading does not speak of an estimate. */
export const minimum = has(`
  mindest* minim*prijs minim*preis minim*bod minim*opbrengst minim*ar min*_price min*_prijs min*_bid min*_bod min*_amount
  min*_opbrengst prix_min* prix_plancher prezzo_min* precio_min* puja_min* cena_min* bodemprijs ondergrens untergrenze
  floor floor_price bottom_price vendor_min seller_min consignor_min`)

export const estimate = has(`
  *schatting* *taxatie* richtprij* raming ramingen geschat*
  estimat* est guide guide_price lowest highest
  schatz* schaetz* mindestschatz* mindestschaetz* taxe taxen taxwert
  prisee estimac* estimado tasacion valoracion stima stime valutazione szacun* estymac* wycena becs*`)

const lowerWords = `
  lag* laag* van lo low* min* from von ab unter* nied* bas basse baja bajo desde basso bassa da od doln* also`

const upperWords = `
  hog* hoog* tot hi high* max* upper to bis ober* hoch* haut haute alta alto hasta massim* do gorn* felso`

// `Estimación de / a`, `Stima da / a`, `Estimation de / à`, `400-tól / 600-ig`
export const lower = new RegExp(`${has(lowerWords).source}| (?:de|tol)$`)

export const upper = new RegExp(`${has(upperWords).source}| (?:a|ig)$`)

/** One bound of two. */
export const bound = is(`${lowerWords} ${upperWords} de tol a ig`)

const measures =
  'hoch|alt|alto|haut|largh?|lungh?|prof|dikte|dicke|' +
  '[hbdlwtpasø]|ho|br|wys|szer|gl|dl|sr|mag|szel|mely|dm|diam?|largo|fondo|cm|mm|m|inch|in'

/** What stands below a heading: measures, units and the numbers of several columns. */
export const sub = new RegExp(
  `^(?:(?:${measures})(?: ?x? ?(?:${measures}))*|kg|g|gr|gram|oz|lbs?|ct|eur|euro|usd|gbp|chf|pln|huf|zl|ft|\\d)$`,
)

/** What may belong to anything. */
export const general = new RegExp(`^(?:${numbers}|naam|name|nom|nombre|nome|nazwa|nazwisko|nev|datum|date|fecha|data)$`)

/** A heading that says only where something ends, such as `bis` behind `Schätzpreis von`. */
export const upperAlone = is('tot to bis max* high hoog haut haute hasta do')

export const premium = has('opgeld aufgeld premium bp frais_acheteur frais_acheteurs diritti_d_asta')

/** The number that the house has for a thing. */
export const internalNumber = is('int_nr nr_int intern*_nr nr_intern* wewnetrzn*_nr nr_wewnetrzn* belso_nr')

/** What no field is for. */
export const without = [
  // For the house alone.
  has(`*intern* memo *rechnung* rg *factuur* factnr invoice* facture* fattura* factura faktur* szamla* consignor_notes vendor_notes seller_notes confiden* vertraulich private opm btw vat tax mwst tva iva commissi* provisi* courtage *kosten cost costs
    shipping_price`),
  // Where somebody lives, and where a thing is.
  has(`post*code post_code postleitzahl pocztow* zip plz postal* cap irsz* mail e_mail email telefo* phone ph tel fon mob mobil* gsm cell fax *adres* *address*
    indirizzo direccion plaats city town stad ville ort citta ciudad country land pays locat* standplaats standort
    emplacement ubica* lager* magazijn* storage shelf`),
  // When a thing was made, written down or brought in, and when it can be viewed.
  has(`*gewijz* geander* modif* mod zmodyf* modos* bijgewerkt aktualis* last_change laatst* letzte* bearb* erf erfass* reg_date aufgen* updated changed created entered added ingevoerd aangemaakt *angelegt erstellt saisie creado
    creato *ontvangst* ontvangen received entree entrada ingreso ingresso *eingang* datering datierung dating dated datation
    datazione datacion datowanie date_in intake ritiro consegna uitbeta* paid collected collection_date period* epoque epoca siglo secolo siecle century eeuw jahrhundert jaar bouwjaar year jahr
    annee ano anno birth geboorte* geburts* kijkdag* viewing preview exposition *besichtigung esposizione exposicion`),
  // What happens in a sale and after it.
  has(`koper* buyer acheteur kaufer comprador acquirente bidder bieder bieter paddle hamer* hammer* zuschlag* adjudic* adjug*
    aggiudic* remate sold verkocht verkauft vendu *opbrengst result* ergebnis marteau realised realized garant* guarante*
    buy_now direct_kopen sofortkauf* inkoop* purchase ankauf* einkauf* achat insur* verzekerd* assurance versicherung*
    seguro assicura* verzekering* vorige previous vorherig* precedent*`),
  // Counts, orders of rows, units.
  has(`aantal quantity qty anzahl quantite cantidad quantita count stuks lfd laufende volgnr volgnummer volgorde row rij regel
    zeile ligne fila riga sort* unit eenheid einheit unite unidad unita`),
]

/** A date and no time. */
export const date = has('*datum date fecha data')

/** Words of a table: the field to which each leads. */
export type Words = [field: string, pattern: RegExp][]

export const times: Words = [
  [
    'session.closes_at',
    has(
      `*sluit* eind* clos* end ends *ende endet schluss fin cloture cierre chiusura fine scadenza koniec zakoncz* vege zaras*`,
    ),
  ],
  [
    'session.opens_at',
    has(`aanv aanvang* *begin* beg commenc* comienz* kezd* rozpocz* zacz* inizia* uhrzeit start* open opens opent opening ouverture debut inicio inizio kezdet*
      datum veilingdatum auktionsdatum startdatum zittingsdatum zittingdatum sitzungsdatum date fecha data *termin
      *tijd *tijdstip uur time *zeit heure hora ora orario godzina idopont dag day tag`),
  ],
]

const sales = '(?:veiling|auction|sale|vente|auktions?|subasta|asta|aukcj\\w*|arver\\w*)'
const sittings =
  '(?:zittings?|zitt|sessies?|sessions?|sess?|vacations?|vac|sitzung(?:en)?|sitz|sesion|sessione|tornata|sesja|rond[ae]|runde|round|ules)'
const names = '(?:naam|name|title|titel|titre|nom|nombre|nome|titulo|titolo)'

/** The more telling words come first: of two columns of a field, one of them is the better. */
export const words: Words = [
  [
    'starting_bid',
    has(`*inzet* startbod startprijs startpreis startgebot start_price start_bid start_amount starting_price starting_bid
      openingsbod opening_bid opening_price open_bid beginprijs aufruf* ausruf* eroffnung* mise_a_prix depart
      precio_salida precio_de_salida precio_inicial salida puja_inicial base_asta base_d_asta offerta_iniziale
      prezzo_base prezzo_di_base prezzo_di_partenza wywolaw* kikialt* indulo_ar`),
  ],
  ['starting_bid', is('start')],
  [
    'images',
    has(`foto fotos fotobestand* fotodatei* fotonr fotonummer fotonummers photo photos img* jpg jpgs imag* afb afbeelding* ill illustr* bild bilder bilddatei*
      abb abbildung* picture pictures pic pics immagin* zdjeci* kep kepek bestandsnaam filename file_name dateiname`),
  ],
  [
    'dimensions',
    has(`afmeting* afm afmet* maten maat formaat dim dims dimens* size mass masse grosse groesse abm abmess* format meas measure* medidas med misure mis
      dimensioni tamano wymiar* wym meret*`),
  ],
  [
    'dimensions',
    /^(?:hoogte|breedte|diepte|lengte|diameter|height|width|depth|length|hohe|breite|tiefe|lange(?! (?:te|omschr|beschr))|durchmesser)\b/,
  ],
  ['dimensions', /^(?:hauteur|largeur|profondeur|longueur|diametre|altura|anchura|ancho|profundidad|altezza)\b/],
  ['dimensions', /^(?:larghezza|profondita|lunghezza|wysokosc|szerokosc|magassag|szelesseg)\b/],
  ['weight', has('*gewicht gew weight wt wgt poids pds peso waga masa suly tomeg')],
  [
    'condition',
    has(`*conditie* cond toestand toest staat condition conditions etat *zustand* zust erh erhaltung* kond conservacion conservazione estado stato stan
      condizione condizioni allapot niveau niveaux fullstand* vulniveau* ullage fill_level* level levels livello livelli nivel
      niveles`),
  ],
  [
    'seller',
    has(
      'verkoper*_nr inbrenger*_nr inzender_nr inz_nr inbr_nr vend_nr cons_nr kom_nr seller_nr vendor_nr consignor_nr consigner_nr einlieferer_nr',
    ),
  ],
  [
    'seller',
    has(`verkoper* inbrenger* inzender* inz inbr aanbieder eigenaar seller sellers vendor vendors consignor* consigner* owner
      einlieferer* einl verkaufer* kommittent* depositante proprietario auftraggeber* vendeur* deposant* remettant
      vendedor* cedente* propietario consignador venditore mandant mandante mandanten conferente committente
      komitent* sprzedaj* elado beado tulajdonos`),
  ],
  [
    'consignment',
    has(`*inbreng* *contract* consign* receipt receipts einlieferung* *vertrag* depot requisition* dossier mandat
      mandato deposito contrato contratto umow* szerzodes*`),
  ],
  [
    'makers',
    has(`maker makers vervaardig* verv *kunstenaar* ontwerper schilder fotograaf artist* producer producent* producteur productrice produttore productor chateau domaine weingut winery bodega cantina
      *manufaktur manufactur* manifattura atelier taller werkplaats werkstatt bottega creator designer manufacturer brand
      photographer kunstler* kunstl hersteller autor autoren autorin fabrikant auteur auteurs photographe fabricant
      autores autore artista tworca artysta muvesz* szerzo`),
  ],
  [
    'categories',
    has(`*rubriek* *categor* *kategor* *gebiet gebied genre afdeling afd abteilung abt groep department dept departement section rubrik rubr *warengruppe sachgruppe
      gruppe famille specialite seccion sezione reparto dzial`),
  ],
  [
    'delivery_class',
    has(`aflever* levering* leverwijze bezorg* verzend* delivery ship* versand* liefer* zustell* transport* livraison expedition envio spedizione
      consegna* wysylka dostaw* szallitas`),
  ],
  ['auction.title', new RegExp(`^(?:${sales} ?${names}|${names}(?: de la| de| des)? ${sales})$`)],
  ['session.title', new RegExp(`^(?:${sittings} ?${names}|${names}(?: de la| de| des)? ${sittings})$`)],
  ['session', new RegExp(`^${sittings}(?: ?${numbers})?$`)],
  ['session', is('veilingdag veiling_dag dag day auktionstag tag jour giornata jornada')],
  ['auction', new RegExp(`^(?:${numbers}(?: de)? )?${sales}(?: ?${numbers})?$`)],
  [
    'external_reference',
    has(`referen* ref refs refnr *inventa* inwentarz* leltari inv invnr inventory stock sku barcode unique_id kenmerk kennung
      object_nr objekt_nr objet_nr objeto_nr artikel_nr article_nr item_nr obj_nr stam_nr scheda fiche_nr ficha_nr karte_nr kaart_nr cod codigo codice kod`),
  ],
  [
    'lot_number',
    is(`kavel kavel_nr nr_kavel lot lot_nr nr_lot los los_nr nr_los lote lote_nr nr_lote lotto lotto_nr nr_lotto tetel
      tetel_nr pozycja nr_pozycji catalogus_nr cat_nr catalogue_nr catalog_nr katalog_nr kat_nr nr_katalogowy`),
  ],
  // A number that is called internal is that of the object.
  ['external_reference', internalNumber],
  ['lot_number', is('nr no n num nummer number numero numer sorszam')],
  ['external_reference', is('nr no n num nummer number numero numer id uuid code')],
  ['title', /^(?:\w+ )?(?:titel|title|titre|titulo|titolo|tytul|cim)$|^(?:titel|title|titre|titulo|titolo) /],
  ['title', is('heading kop kopje kopregel uberschrift caption intestazione encabezado naglowek')],
  ['title', has('kort korte kurz* short headline breve court*')],
  [
    'title',
    is(
      'lead lead_line *bezeichnung bez benaming ben designation desig denominac* denominazione intitule nazwa megnevezes',
    ),
  ],
  ['title', new RegExp(`^(?:(?:kavel|lot|item|object|objekt) ?)?${names}$`)],
  [
    'title',
    is('object objekt objet objeto oggetto gegenstand voorwerp artikel article item lot lots los kavel libelle'),
  ],
  [
    'description',
    has(`*omschrijving* *beschrijving* omschr beschr toelichting *tekst desc descr* detail details *beschreib* *text texte descrizione dettagli
      detalles opis leiras`),
  ],
]

/** The names of the locales in each other's languages. */
export const languages: Words = [
  [
    'nl',
    is(
      'nl nld ned niederl neerl dutch nederlands nederlandse neerlandais neerlandaise niederlandisch holandes olandese holenderski',
    ),
  ],
  [
    'en',
    is(
      'en eng engl angl ang english engels engelse englisch englische anglais anglaise ingles inglese angielski angol',
    ),
  ],
  [
    'fr',
    is('fr fra fran franz frz french frans franse francais francaise franzosisch frances francese francuski francia'),
  ],
  [
    'de',
    is(
      'de deu dt dts deut all allem ger german duits duitse deutsch deutsche allemand allemande aleman tedesco niemiecki nemet',
    ),
  ],
  ['es', is('es spa esp span spanish spaans spaanse spanisch espagnol espagnole espanol spagnolo hiszpanski spanyol')],
  ['zh', is('zh cn chinese chinees chinesisch chinois chinoise chino cinese chinski kinai')],
  ['it', is('it ita ital italian italiaans italiaanse italienisch italien italienne italiano wloski olasz')],
  ['pl', is('pl pol poln polish pools poolse polnisch polonais polonaise polaco polacco polski lengyel')],
  ['hu', is('hu hun ung hungarian hongaars hongaarse ungarisch hongrois hongroise hungaro ungherese wegierski magyar')],
]
