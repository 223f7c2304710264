/** A sheet from an auction house: its cells, divided by `|`, and the fields of its columns in their order. */
export type HouseSheet = { file: string; separator?: string; sheets: Record<string, string>; fields: string }

/** Sheets in six languages and a trade template, with titles, covers, reserves and data of the house's own. */
export const houseSheets: HouseSheet[] = [
  {
    file: 'nl.csv',
    separator: ';',
    sheets: {
      rows: `
sep=;
Kavel|Objectnummer|Titel|Omschrijving|Datering|Kunstenaar / maker|Afm. (cm)|Lage schatting|Hoge schatting|Limiet|Startprijs|Inbrenger|Postcode|Foto's|Laatst gewijzigd
1|2026-0413|Zilveren lepel|Met gegraveerd monogram|1780|J. de Vries|18|€ 80|€ 120|€ 75|€ 50|1043|1012 AB|0413a.jpg;0413b.jpg|03-11-2026 14:02
2|2026-0414|Friese staartklok|Eiken kast|ca. 1850||140 x 40|€ 400|€ 600||€ 250|1043|1012 AB|0414.jpg|03-11-2026 14:10
3|2026-0415|Gezicht op Delft|Olieverf op doek, gesigneerd|19e eeuw|B. Koekkoek|40 x 60|€ 1.200|€ 1.800|€ 1.100|€ 800|2210|8911 KZ||04-11-2026 09:31`,
    },
    fields:
      'lot_number|external_reference|title|description||makers|dimensions|estimate.low|estimate.high||starting_bid|seller||images|',
  },
  {
    file: 'nl.xlsx',
    sheets: {
      Voorblad: `
Veilinghuis De Eland
Kunst- en antiekveiling
Datum|zo. 12 april 2026
Contact|info@example.nl`,
      Kavels: `
Kavellijst voorjaarsveiling 2026
Stand: 1 maart 2026|||concept

Kavelnr.|Inv.nr.|Rubriek|Omschrijving NL|Omschrijving EN|Hoogte|Breedte|Taxatie|Inzet|Minimumprijs|Conditie|Zitting|Veilingdatum|Opm. intern
1|DE-2201|Zilver|Zilveren suikerlepel|Silver sugar spoon|||40-60|30|30|goed|Zondag|zo. 12 april 2026 13.00 uur|ophalen
2|DE-2202|Zilver|Paar kandelaars|Pair of candlesticks|24.5|11|€ 300 - € 500|200|250|deukje|Zondag|zo. 12 april 2026 13.00 uur|
3|DE-2203|Schilderijen|Winterlandschap|Winter landscape|40|55|800-1.200|600|700||Zondag|zo. 12 april 2026 13.00 uur|let op lijst`,
      Inbrengers: `
Nummer|Naam|Adres|Postcode|Plaats
1|De Wit|Dam 1|1012AB|Amsterdam
2|Van Dam|Lei 2|2312 CD|Leiden`,
    },
    fields:
      'lot_number|external_reference|categories|title.nl|title.en|dimensions|dimensions|estimate|starting_bid||condition|session|session.opens_at|',
  },
  {
    file: 'en.csv',
    separator: ',',
    sheets: {
      rows: `
LotNum|Title|Description|LowEst|HighEst|StartPrice|Reserve Price|Condition|Height|Weight|Consigner|ImageFile.1|ImageFile.2|Buy Now Price|Lot Reference Number
1|Victorian Brooch|Gold and garnet|1,200|1,800|600|900|Minor wear||12 g|C118|1.jpg|1_2.jpg||SW-1001
2|Oak Settle|English, 18th century|300|500|150|||48 in||C118|2.jpg||700|SW-1002
2A|Pair of Andirons|Brass|100|150|50||Polished|20 in|8 lb|C204|2A.jpg|||SW-1003`,
    },
    fields:
      'lot_number|title|description|estimate.low|estimate.high|starting_bid||condition|dimensions|weight|seller|images|images||external_reference',
  },
  {
    file: 'en.xlsx',
    sheets: {
      Lots: `
Thornbury & Sons
Fine Interiors, Thursday 12 November 2026
All prices in GBP
Lot No|Receipt No|Item Ref|Vendor|Vendor Email|Dept|Short Description|Full Description|Estimate|Reserve|Opening Bid|Condition Report|Size|Artist/Maker|Date entered
101|R5001|T/10-1|Mrs A Hill|hill@example.com|Ceramics|Worcester teapot|First period, painted|£80 - £120|60|50|Chip to spout|H 14cm|Worcester|02/10/2026
102|R5001|T/10-2|Mrs A Hill|hill@example.com|Ceramics|Pair of Staffordshire dogs|With gilt collars|£1,250 - £1,500||600||H 30cm||02/10/2026
103|R5010|T/11-1|Exors of J Low|low@example.com|Furniture|Windsor chair|Yew and elm|£200 - £300|180|100|Good|||14/10/2026`,
    },
    fields:
      'lot_number|consignment|external_reference|seller||categories|title|description|estimate||starting_bid|condition|dimensions|makers|',
  },
  {
    file: 'de.csv',
    separator: ';',
    sheets: {
      rows: `
Auktionshaus Lindner – Katalog 88. Auktion|||||||||||
Stand 20.10.2026|||||||||||
|||||||||||
Los-Nr.|Objekt-Nr.|Bezeichnung|Beschreibung|Künstler|Maße|Erhaltung|Schätzpreis von|Schätzpreis bis|Limit|Aufruf|Einlieferer-Nr.
1|88/0001|Deckelhumpen|Silber, Augsburg|Meister HB|H. 18 cm|gut|1.500,00|2.000,00|1.200,00|900,00|411
2|88/0002|Tasse mit Unterschale|Meissen, um 1760||H. 7 cm|Haarriss|300,00|400,00||180,00|411
3|88/0003|Waldlandschaft|Öl auf Leinwand; signiert|W. Busch|35 x 50 cm|doubliert|2.500,00|3.500,00|2.300,00|1.800,00|527`,
    },
    fields:
      'lot_number|external_reference|title|description|makers|dimensions|condition|estimate.low|estimate.high||starting_bid|seller',
  },
  {
    file: 'de.xlsx',
    sheets: {
      Deckblatt: `
Kunsthandel Seeberg
Herbstauktion
Datum:|14. November 2026
Ansprechpartner:|Frau Roth
Telefon:|030 1234`,
      Lose: `
Herbstauktion 14.11.2026|||||vertraulich
Lfd. Nr.|Katalognr.|Inventarnr.|Titel|Katalogtext|Datierung|Provenienz|Warengruppe|Taxe (€)|Ausrufpreis|Mindestpreis|Gewicht|Auktionsbeginn|Bilder|PLZ
1|1|S-3301|Jugendstilvase|Glas, irisierend|um 1900|Privatbesitz|Glas|600,- bis 800,-|400|450|1,2 kg|2026-11-14 10:59|S-3301_1.jpg, S-3301_2.jpg|10115
2|2|S-3302|Taschenuhr|Gold 585|1885||Uhren|250,- bis 300,-|150||98 g|2026-11-14 10:59|S-3302_1.jpg|20095
3|3|S-3303|Puppe|Porzellankopf|1910|Nachlass|Spielzeug|100,- bis 150,-|60|80||2026-11-14 10:59||10115`,
    },
    fields:
      '|lot_number|external_reference|title|description|||categories|estimate|starting_bid||weight|session.opens_at|images|',
  },
  {
    file: 'fr.csv',
    separator: ';',
    sheets: {
      rows: `
sep=;
HÔTEL DES VENTES DU CENTRE
Vente du samedi 21 novembre 2026 à 14h
N° lot|N° inventaire|Désignation|Descriptif|Auteur|Époque|Dimensions|État|Estimation basse|Estimation haute|Prix de réserve|Mise à prix|Vendeur|Réquisition|Photos
1|HV-611|Pendule portique|Bronze doré et marbre||Époque Louis XVI|H. 45 cm|Usures|1 200|1 800|1 100|700|M. Blanc|2026/118|HV-611-1.jpg
2|HV-612|Suite de six chaises|Noyer mouluré||XVIIIe|||300|400||150|M. Blanc|2026/118|HV-612-1.jpg
3|HV-613|Paysage animé|Huile sur toile|Attribué à J. Pillement|XVIIIe|40 x 60 cm|Rentoilé|2 000|3 000|1 900|1 200|Succession R.|2026/121|`,
    },
    fields:
      'lot_number|external_reference|title|description|makers||dimensions|condition|estimate.low|estimate.high||starting_bid|seller|consignment|images',
  },
  {
    file: 'fr.xlsx',
    sheets: {
      Infos: `
Étude Martin
Vente|Bijoux
Lieu|Lyon
Exposition|la veille`,
      Liste: `
Liste des lots – confidentiel

Numéro|Réf.|Titre|Description|Titre anglais|Poids (g)|Estimation|Réserve|Départ|Déposant|Code postal|Catégorie|Date de vente|Heure
1|M-0901|Bague solitaire|Or blanc et diamant|Solitaire ring|3.4|800 – 1 000 €|700|400|D-14|69002|Bagues|2026-12-05|14h30
2|M-0902|Collier|Perles de culture|Necklace|28|200 – 300 €||100|D-14|69002|Colliers|2026-12-05|14h30
3|M-0903|Montre|Boîtier acier|Wristwatch||1 500 – 2 000 €|1400|800|D-22|38000|Montres|2026-12-05|14h30`,
    },
    fields:
      'lot_number|external_reference|title|description|title.en|weight|estimate||starting_bid|seller||categories|session.opens_at|session.opens_at',
  },
  {
    file: 'es.csv',
    separator: ';',
    sheets: {
      rows: `
SUBASTAS EL OLMO||||||||||||
Lote|Referencia|Título|Descripción|Autor|Siglo|Medidas|Precio de salida|Estimación mínima|Estimación máxima|Precio de reserva|Cedente|Imágenes
1|EO-2026-01|Bodegón|Óleo sobre lienzo|Escuela española|XVII|60 x 80 cm|3.000|4.000|6.000|3.500|77|eo01.jpg
2|EO-2026-02|Bargueño|Nogal tallado||XVI|100 x 60 x 40 cm|1.500|2.000|3.000||77|eo02.jpg
3|EO-2026-03|Talla de la Virgen|Madera policromada||XVIII|45 cm|600|800|1.000|700|81|`,
    },
    fields:
      'lot_number|external_reference|title|description|makers||dimensions|starting_bid|estimate.low|estimate.high||seller|images',
  },
  {
    file: 'it.xlsx',
    sheets: {
      Copertina: `
Casa d'Aste Arno
Asta 45
Data|10 dicembre 2026
Lotti|4`,
      Lotti: `
Casa d'Aste Arno – Asta 45
Dipinti antichi
N. Lotto|Codice|Titolo|Descrizione|Artista|Misure|Stato di conservazione|Stima min.|Stima max.|Riserva|Base d'asta|Mandante|Tornata|Data asta|CAP
1|A45-001|Madonna col Bambino|Olio su tavola|Scuola toscana|cm 50x40|buono|4000|6000|3500|2000|Rossi M.|I|10/12/2026 15:30|50123
2|A45-002|Veduta|Olio su tela|Seguace di Guardi|cm 35x50||2000|3000||1000|Bianchi|I|10/12/2026 15:30|50123
3|A45-003|Coppia di vasi|Maiolica||h cm 30|sbeccature|800|1200|700|400|Rossi M.|II|11/12/2026 10:00|20121`,
    },
    fields:
      'lot_number|external_reference|title|description|makers|dimensions|condition|estimate.low|estimate.high||starting_bid|seller|session|session.opens_at|',
  },
]
