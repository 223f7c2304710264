import { has } from './patterns.ts'

/** Words for columns without a field. */
export const without = [
  // Notes, money and other data of the house's own.
  has(`*intern* memo *rechnung* rg *factuur* factnr invoice* facture* fattura* factura faktur* szamla* consignor_notes vendor_notes seller_notes confiden* vertraulich private opm btw vat tax mwst tva iva commissi* provisi* courtage *kosten cost costs
    shipping_price iban bic bank* rekening* konto account compte cuenta status website`),
  // Addresses of people, and places of things.
  has(`post*code post_code postleitzahl pocztow* zip plz postal* cap irsz* mail voornaam achternaam vorname nachname familienname prenom apellido* cognome imie vezeteknev
    keresztnev first_name last_name surname contact* kontakt* mail e_mail email telefo* phone ph tel fon mob mobil* gsm cell fax *adres* *address*
    indirizzo direccion plaats city town stad ville ort citta ciudad country land pays locat* standplaats standort vak vitrine plank regal fach vault vitrina etagere
    emplacement ubica* lager* magazijn* storage shelf`),
  // Times at which an item was made, recorded, brought in or viewed.
  has(`*gewijz* geander* modif* mod_date mod_datum zmodyf* modos* bijgewerkt aktualis* last_change laatst* letzte* bearb* erf erfass* reg_date aufgen* updated changed created entered added ingevoerd aangemaakt *angelegt erstellt saisie creado
    creato *ontvangst* ontvangen received entree entrada ingreso ingresso *eingang* datering datierung dating dated datation
    datazione datacion datowanie date_in intake ritiro consegna uitbeta* paid collected collection_date period* epoque epoca siglo secolo siecle century eeuw jahrhundert jaar bouwjaar vintage jaargang jahrgang *baujahr millesime anada annata rocznik evjarat year jahr
    annee ano anno birth geboorte* geburts* kijkdag* viewing preview exposition *besichtigung esposizione exposicion`),
  // The results of a sale, and what follows it.
  has(`koper* buyer acheteur kaufer comprador acquirente bidder bieder bieter paddle hamer* hammer* zuschlag* adjudic* adjug*
    aggiudic* remate sold verkocht verkauft vendu *opbrengst result* ergebnis marteau realised realized garant* guarante*
    buy_now direct_kopen sofortkauf* inkoop* purchase ankauf* einkauf* achat insur* verzekerd* assurance versicherung*
    seguro assicura* verzekering* vorige previous vorherig* precedent*`),
  // Counts, orders of rows, units.
  has(`aantal quantity qty anzahl quantite ilosc mennyiseg darab menge stuckzahl pcs cantidad quantita count stuks lfd laufende volgnr volgnummer volgorde row rij regel
    zeile ligne fila riga sort* unit eenheid einheit unite unidad unita`),
]
