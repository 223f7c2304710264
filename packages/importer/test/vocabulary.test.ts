import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHeading } from '../src/proposal/vocabulary.ts'

/** Headings for each field, in nine languages. */
const families: Record<string, string> = {
  lot_number:
    'Lot Nbr|N.º lote|Lotto n.|Nr poz.|Tétel sz.|LOT号|Kavelnr.|Kavelnummers|Lot No.|Lot #|Los-Nr.|Katal.-Nr.|Kat.-Nr.|N° de lot|Nº de lote|N. Lotto|Numer pozycji|Tételszám|拍品编号|圖錄號',
  external_reference:
    'Asset No|Leltárszám|Stuknummer|Référence interne|Code article|Codice interno|Cod. scheda|Nr inw.|Rif.|Objectnr|Inventarisnr.|Stock Ref.|Inventory Code|Objekt-Nr.|Inventarnummer|Réf. étude|N° inventaire|Referencia|Codice scheda|Nr inwentarzowy|Leltári szám|库存编号',
  title:
    'Onderwerp|Lot Heading|Naam object|Nome oggetto|Nazwa przedmiotu|Mű címe|作品名称|Titel|Kavelnaam|Title of Work|Heading|Bezeichnung|Objekttitel|Titre|Désignation|Título|Modelo|Titolo|Oggetto|Tytuł|Nazwa|Cím|Megnevezés|Wine|Wijn|Wein|Vin|Vino|拍品名称|標題',
  description:
    'Katalogeintrag|Présentation|介绍|详情|Catalogue Entry|Body|Désignation longue|Scheda descrittiva|Omschr.|Beschrijv.|Kavelomschrijving|Catalogue Text|Desc.|Descriptions|Beschr.|Katalogtext|Notice|Descriptif|Descripción|Texto|Descrizione|Testo|Opis|Opis przedmiotu|Leírás|描述|說明',
  dimensions:
    'Misura|Ht (cm)|Larg. (cm)|Afm. h x b x d (cm)|Formaat|Omtrek|Size (H x W)|Thickness|Maße in cm|Dicke|Dim. / taille|Épaisseur|Medidas|Fondo (cm)|Grosor|Misure|Spessore|Wymiary|Głębokość|Méretek|Vastagság|尺寸',
  weight: 'Gewicht (gr)|Weight|Wt.|Poids brut (g)|Peso|Waga|Súly|重量',
  condition:
    'Beschadigingen|Állapotleírás|液位|Staat|Kwaliteit|Gebreken|Grade|Defects|Erh.|Qualität|Mängel|État de conservation|Dégâts|Calidad|Desperfectos|Qualità|Difetti|Stan|Jakość|Uszkodzenia|Állapot|Minőség|品相|狀況',
  makers:
    'Kunstenaar|Merk|Zilversmid|Beeldhouwer|Maker|Make|Silversmith|Künstler|Marke|Goldschmied|Entwerfer|Signature / maison|Peintre|Orfèvre|Marca|Escultor|Diseñador|Pittore|Orafo|Artysta|Malarz|Marka|Művész|Festő|艺术家|作者',
  categories:
    'Sparte|Settore|Rubrique|Rubriek|Categorie|Section|Warengruppe|Objektart|Catégorie|Familia|Categoría|Tipologia|Kategoria|Dział|Csoport|分类',
  seller:
    'Apporteur|Consigned by|Opdrachtgever|Wystawca|Megbízó|Inbrenger nr.|Nr. inbrenger|Inzender|Consignor No.|Vendor|Owner|Einlieferer|Eigentümer|Déposant|Propriétaire|Cedente|Comitente|Mandante|Committente|Komitent|Właściciel|Beadó|Tulajdonos|委托人',
  consignment:
    'Agreement No|Auftragsnr.|Megbízás száma|Inbreng|Contractnr.|Contract inbrenger|Receipt No|Vendor Contract|Vertrags-Nr.|Mandat de vente|Nº contrato|Contratto|Umowa|Szerződés|委托合同',
  delivery_class:
    'Trasporto|Przesyłka|Szállítási mód|Versandkategorie|Bezorging|Verzendwijze|Afhalen|Delivery|Shipping|Versandart|Livraison|Envío|Entrega|Spedizione|Wysyłka|Kiszállítás|配送',
  images:
    "Foto's|Afbeeldingen|Fotobestand|Photograph|Picture 1|Bilder|Titelbild|Foto-Datei|Photographies|Fotografías|Immagini|Zdjęcia|Fényképek|图片",
  starting_bid:
    'Instelbedrag|Cena wyw.|Prix de base|Precio de partida|Inzet|Beginbod|Startprijs|Opening bid|First Bid|Aufrufpreis €|Rufpreis|Anfangsgebot|Mise à prix|Départ|Precio de salida|Base d’asta|Prezzo iniziale|Cena wywoławcza|Cena startowa|Kikiáltási ár|Kezdő ár|起拍价',
  estimate:
    'Richtwert|参考价|Schatting|Prijsindicatie|Estimates|Valuation|Taxe|Richtpreis|Estimation|Fourchette|Estimación|Tasación|Stima|Valore stimato|Wycena|Estymacja|Becsérték|Becsült ár|估价',
  'estimate.low':
    'Presale Low|Taxatie laag €|Low Est (GBP)|Est. Min|Unterer Schätzpreis|Est. basse (€)|Estimación mín. (€)|Stima minima|Estymacja od|Alsó becsérték|最低估价|估价下限',
  'estimate.high':
    'Taxatie hoog €|High Est (GBP)|Est. Max|Oberer Schätzpreis|Est. haute (€)|Estimación máx. (€)|Stima massima|Estymacja do|Felső becsérték|最高估價|估价上限',
  session: 'Zitting|Zittingsnr.|Session|Sitzung|Vacation|N° de vacation|Sesión|Tornata|Sesja|专场',
  'session.opens_at':
    'Aanvang|Start time|Beginn|Date et heure de vente|Hora de inicio|Ora di inizio|Rozpoczęcie|Kezdés|开始时间',
  'session.closes_at': 'Sluiting|Closing time|Ende|Clôture|Hora de cierre|Chiusura|Zakończenie|Zárás|结束时间',
  'title.en':
    'Titel Engels|Title GB|Titel E|Titel englisch|Titre anglais|Titre en anglais|Título en inglés|Titolo inglese|英文标题',
  'description.en':
    'Omschrijving (EN)|Description UK|Beschreibung e|Description anglaise|Descripción en inglés|Descrizione inglese',
}

for (const [field, headings] of Object.entries(families))
  test(`headings for ${field} are found in nine languages, cut, in the plural, with units and brackets`, () => {
    const wrong = headings.split('|').filter((heading) => readHeading(heading).candidates[0]?.field !== field)
    assert.deepEqual(
      wrong.map((heading) => [heading, readHeading(heading).candidates]),
      [],
    )
  })

test('headings for data that only the house needs lead to no field, in nine languages', () => {
  const headings =
    'Telefoon|Postcode|Achternaam|Vak|Laatst gewijzigd|Vendor Mobile|First name|Bond Location|Hammer price|Buyer|Rechnung Nr.|Lagerort|Geändert am|Zuschlag|Code postal|Prénom|Adjudication|Últ. modificación|Apellidos|Acquirente|CAP|Kod pocztowy|Imię|Ilość|Telefonszám|Vásárló|Mennyiség|成交价|电话|备注|年代'
  const led = headings.split('|').filter((heading) => readHeading(heading).candidates.length > 0)
  assert.deepEqual(led, [])
})

test('a word for a reserve is recognised in any language, also cut', () => {
  const headings =
    'Limiet|Reserveprijs|Minimumprijs|Bodemprijs|Reserve Price|Vendor reserve|Total Reserve|Minimum bid|Floor price|Mindestpreis|Mindestgebot|Vorbehaltspreis|Prix minimum|Precio de reserva|Precio mínimo|Riserva|Prezzo minimo|Cena minimalna|Cena rezerwowa|Limitár|Res.|Rés.|Lim.|Limit intern|Reserv.|Vorbeh.|Ophoudprijs|Mindestpr.|Prix rés. (€)|P. reserva|Riserva (€)|Cena zastrzeżona|Fenntartási ár|保留价|底價'
  const others = headings.split('|').filter((heading) => !readHeading(heading).isReserve)
  assert.deepEqual(others, [])
})
