import { has, is, numbers, type Words } from './patterns.ts'

/** The house's own number of an item. */
export const internalNumber = is(`int_nr nr_int intern*_nr nr_intern* ref*_intern* intern*_ref*
  cod*_intern* intern*_cod* wewnetrzn*_nr nr_wewnetrzn* belso_nr belso_azonosito`)

export const times: Words = [
  [
    'session.closes_at',
    has(`*sluit* eind* clos* end ends *ende endet schluss fin cloture cierre chiusura fine scadenza termine koniec
      zakoncz* vege zaras*`),
  ],
  [
    'session.opens_at',
    has(`aanv aanvang* *begin* beg commenc* comienz* kezd* rozpocz* zacz* inizia* uhrzeit start* open opens opent opening
      apertura otwarcie nyitas ouverture debut inicio inizio kezdet* datum veilingdatum auktionsdatum startdatum
      zittingsdatum zittingdatum sitzungsdatum date fecha data *termin *tijd *tijdstip uur time *zeit heure hora ora orario
      godzina idopont dag day tag`),
  ],
]

const sales = '(?:veiling|auction|sale|vente|auktions?|subasta|asta|aukcj\\w*|arver\\w*)'
const sittings =
  '(?:zittings?|zitt|sessies?|sessions?|sess?|vacations?|vac|sitzung(?:en)?|sitz|sesion|sessione|tornata|sesja|rond[ae]|runde|round|ules)'
const names = '(?:naam|name|title|titel|titre|nom|nombre|nome|titulo|titolo|nazwa|neve?|cime?)'
const things =
  '(?:kavel|lot|los|lote|lotto|tetel|item|object|objekt|objet|objeto|oggetto|obiektu|przedmiotu|targy|werk|work|oeuvre|obra|opera|mu)'

/** Specific words come first: of two columns that match a field, the one with the earlier word gets it. */
export const words: Words = [
  [
    'starting_bid',
    has(`*inzet* startbod startprijs startpreis startgebot start_price start_bid start_amount starting_price starting_bid
      beginbod instelprijs instelbedrag cena_wyw anfangsgebot anfangspreis einstiegspreis rufpreis openingsbod opening_bid opening_price open_bid
      first_bid beginprijs aufruf* ausruf* eroffnung* mise_a_prix mises_a_prix mise_de_depart depart map precio_salida
      precio_de_salida precio_inicial salida puja_inicial base_asta base_d_asta offerta_iniziale offerta_di_partenza
      prezzo_base prezzo_di_base prezzo_di_partenza prezzo_iniziale prix_de_base prix_base precio_base precio_de_partida wywolaw* wywolan* cena_startowa cena_wyjsciowa kikialt*
      indulo_ar kezdo_ar indulo_licit kezdo_licit`),
  ],
  ['starting_bid', is('start')],
  [
    // What a picture shows, if another column has the picture.
    'alt',
    is(`alt alt_tekst alttekst alt_text alttext alternatieve_tekst alternative_text alternativtext texte_alternatif
      texte_alt texto_alternativo texto_alt testo_alternativo testo_alt tekst_alternatywny helyettesito_szoveg bildbeschreibung
      beeldbeschrijving image_description`),
  ],
  [
    // The cells must be names of files as well.
    'images',
    has(`*foto* photo* pict* img* jpg jpgs imag* afb *afbeelding* ill illustr* *bild *bilder bilddatei* abb abbildung* plaatje*
      pic pics immagin* zdjec* fenykep* kep kepek kepfajl* bestandsnaam filename file_name dateiname nome_file nom_fichier
      nombre_archivo nazwa_pliku fajlnev`),
  ],
  [
    'dimensions',
    has(`afmeting* afm afmet* maten maat formaat dim dims dimens* size sizes mass masse grosse groesse abm abmess* format
      formato formatum meas measure* medidas med misura misure mis dimensioni tamano taille tailles rozmiar* wymiar* wym
      meret*`),
  ],
  [
    'dimensions',
    /^(?:hoogte|breedte|diepte|lengte|dikte|omtrek|doorsnede|diameter|height|width|depth|length|thickness|hohe|breite|tiefe|dicke|umfang|lange(?! (?:te|omschr|beschr))|durchmesser)\b/,
  ],
  [
    'dimensions',
    /^(?:hauteur|largeur|profondeur|longueur|epaisseur|diametre|alto|altura|anchura|ancho|profundidad|fondo|largo|grosor|diametro)\b/,
  ],
  ['dimensions', /^(?:altezza|larghezza|profondita|lunghezza|spessore|wysokosc|szerokosc|glebokosc|dlugosc)\b/],
  ['dimensions', /^(?:ht|hgt|wdth|dpth|diam|larg|prof|szer|wys|mag|szel)\b/],
  ['dimensions', /^(?:srednica|magassag|szelesseg|melyseg|hosszusag|hossz|vastagsag|atmero)\b/],
  ['weight', has('*gewicht gew weight wt wgt poids pds peso waga masa suly tomeg')],
  [
    'condition',
    has(`*conditie* cond toestand toest staat condition conditions etat *zustand* zust erh erhaltung* kond conservacion
      conservation conservazione estado stato stan condizione condizioni allapot niveau niveaux fullstand* vulniveau* ullage
      fill_level* level levels livello livelli nivel niveles kwaliteit *qualitat quality qualite calidad qualita jakosc
      minoseg grade grading gebreken beschadiging* beschadigung* allapot* schade schaden mangel faults damage damages defects defauts degats desperfectos defectos
      danni difetti wady uszkodzen* hibak serules*`),
  ],
  // The contract of a seller is no seller, so contracts come first.
  [
    'consignment',
    has(`*contract* *vertrag* contrato contratto convenio umow* szerzodes* receipt receipts requisition* dossier mandat
      mandato agreement* overeenkomst* *auftrags_nr zlecen* encargo incarico megbizas* consignment_nr consignment_note`),
  ],
  [
    'seller',
    has(`verkoper*_nr inbrenger*_nr inzender_nr inz_nr inbr_nr vend_nr cons_nr kom_nr seller_nr vendor_nr consignor_nr
      consigner_nr einlieferer_nr`),
  ],
  [
    'seller',
    has(`verkoper* inbrenger* inzender* inz inbr aanbieder eigenaar aanleveraar seller sellers vendor vendors consignor*
      consigner* owner owners einlieferer* einl verkaufer* kommittent* anbieter depositante proprietario auftraggeber*
      eigentumer* vendeur* deposant* remettant apporteur* proprietaire vendedor* cedente* propietario comitente consignador consignante
      consegnante venditore mandant mandante mandanten opdrachtgever* consigned_by ingebracht_door eingeliefert_von depose_par wystawca
      zleceniodawca megbizo conferente committente komitent* sprzedaj* wlasciciel* elado beado
      tulajdonos`),
  ],
  ['consignment', has('*inbreng* consign* einlieferung* depot deposito aanlevering* conferimento')],
  [
    'makers',
    has(`maker makers vervaardig* verv *kunstenaar* ontwerper schilder fotograaf beeldhouwer tekenaar architect schrijver
      zilversmid klokkenmaker fabriek merk artist* producer producent* producteur productrice produttore productor chateau
      domaine weingut winery wijnhuis bodega cantina winnica pinceszet *manufaktur manufactur* manifattura atelier taller
      werkplaats werkstatt bottega creator designer manufacturer brand make marque maison marke marca marchio marka
      photographer painter sculptor silversmith goldsmith jeweller watchmaker clockmaker cabinetmaker engraver author authors
      kunstler* kunstl maler bildhauer goldschmied silberschmied uhrmacher entwerfer gestalter verfasser hersteller autor
      autoren autorin fabrikant auteur auteurs photographe fabricant createur* peintre sculpteur orfevre ebeniste horloger
      joaillier graveur dessinateur autores autore autrice fabricante fabbricante pintor escultor platero disenador creador
      fotografo pittore scultore orafo disegnatore artista tworca malarz rzezbiarz projektant wytworca fotograf artysta
      muvesz* szerzo alkoto festo szobrasz keszito tervezo gyarto`),
  ],
  [
    'delivery_class',
    has(`aflever* levering* leverwijze bezorg* verzend* afhaal* afhalen delivery ship* versand* liefer* zustell* transport* trasport* przesylk* szallit*
      livraison expedition envio entrega spedizione consegna* wysylk* dostaw* szallitas* kiszallitas* atvetel`),
  ],
  [
    'categories',
    has(`*rubriek* rubrique* *categor* *kategor* *gebiet gebied genre afdeling afd abteilung abt groep hoofdgroep department dept
      departement departamento section rubrik rubr *warengruppe sachgruppe sparte settore sector gruppe objektart warenart soort famille
      specialite* familia tipologia seccion sezione reparto dzial grupa csoport`),
  ],
  ['auction.title', new RegExp(`^(?:${sales} ?${names}|${names}(?: de la| de| des)? ${sales})$`)],
  ['session.title', new RegExp(`^(?:${sittings} ?${names}|${names}(?: de la| de| des)? ${sittings})$`)],
  ['session', new RegExp(`^(?:(?:${numbers}(?: de)? )?${sittings}|${sittings} ?${numbers})$`)],
  ['session', is('veilingdag veiling_dag dag day auktionstag tag jour giornata jornada dzien nap')],
  ['auction', new RegExp(`^(?:${numbers}(?: de)? )?${sales}(?: ?${numbers})?$`)],
  [
    'external_reference',
    has(`referen* ref refs refnr *inventa* inwentarz* leltar* asset_nr inv invnr inventory stock sku barcode unique_id kenmerk
      kennung object_nr objekt_nr objet_nr objeto_nr oggetto_nr nr_oggetto nr_objet nr_objeto artikel_nr article_nr item_nr
      obj_nr stuk_nr stam_nr rif inw inwent scheda_nr nr_scheda nr_article nr_artikel nr_articulo articulo_nr nr_articolo articolo_nr fiche_nr ficha_nr karte_nr kaart_nr cod codigo codice kod sygnatura azonosito`),
  ],
  [
    'lot_number',
    is(`kavel kavel_nr nr_kavel lot lot_nr nr_lot los los_nr nr_los lote lote_nr nr_lote lotto lotto_nr nr_lotto tetel
      tetel_nr pozycja nr_pozycji lotu_nr nr_lotu catalogus_nr cat_nr catalogue_nr catalog_nr katalog_nr kat_nr
      nr_katalogowy nr_kat nr_poz posizione posicion nr_catalogue nr_catalogo catalogo_nr katalogus_nr`),
  ],
  // An internal number is the number of the item.
  ['external_reference', internalNumber],
  ['lot_number', is('nr no n num nummer number numero numer sorszam poz pos position')],
  // `Lot ID` and `Kavelcode` are references if they are not numbers.
  [
    'external_reference',
    is('nr no n num nummer number numero numer id uuid code kavel_nr lot_nr los_nr lote_nr nr_lote lotto_nr nr_lotto'),
  ],
  ['title', /^(?:\w+ )?(?:titel|title|titre|titulo|titolo|tytul|cim)$|^(?:titel|title|titre|titulo|titolo|tytul) /],
  [
    'title',
    is(
      '(?:lot_)?heading onderwerp kop kopje kopregel uberschrift caption intestazione encabezado titular naglowek *titel',
    ),
  ],
  ['title', has('kort korte kurz* short headline breve court* krotki* rovid*')],
  [
    'title',
    is(`lead lead_line *bezeichnung bez benaming ben designation desig denominac* denominazione intitule nazwa
      megnevezes`),
  ],
  ['title', new RegExp(`^(?:${things} ?)?${names}$|^${names}(?: (?:van|of|de l|de la|del|dell|des|de))? ${things}$`)],
  [
    'title',
    is(`object objekt objet objeto oggetto obiekt gegenstand voorwerp artikel article articulo articolo item lot lots los
      kavel lote lotto libelle przedmiot targy piece pieza pezzo stuck stuk`),
  ],
  // The names of goods, for a sale of one kind.
  [
    'title',
    is(`model modell modele modelo modello work werk oeuvre obra opera dzielo kunstwerk mu painting schilderij gemalde tableau
      cuadro dipinto obraz festmeny wine wijn wein vin vino wino bor coin munt munze monnaie moneda moneta erme stamp
      postzegel briefmarke timbre sello francobollo znaczek belyeg book boek buch livre libro ksiazka konyv vehicle voertuig
      fahrzeug vehicule vehiculo veicolo pojazd jarmu jewel juweel sieraad schmuck bijou joya gioiello bizuteria ekszer
      watch horloge uhr montre reloj orologio zegarek`),
  ],
  [
    'description',
    has(`*omschrijving* *beschrijving* omschr beschr toelichting *tekst desc descr* detail details *beschreib* *text texte texto
      testo szoveg narrative blurb body presentation *eintrag catalogue_entry scheda descritt* longue larga lunga estesa notice resena erlauterung* descrizione dettagli detalles opis* leiras* ismerteto`),
  ],
]
