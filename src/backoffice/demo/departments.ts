/** The house's categories, parents before children, and its ways of delivery. */

type Category = readonly [slug: string, parent: string | null, nl: string, en: string, de: string]

export const categories: readonly Category[] = [
  ['schilderijen', null, 'Schilderijen', 'Paintings', 'Gemälde'],
  ['oude-schilderijen', 'schilderijen', 'Oude schilderijen', 'Old paintings', 'Alte Gemälde'],
  ['negentiende-eeuw', 'schilderijen', 'Negentiende eeuw', 'Nineteenth century', 'Neunzehntes Jahrhundert'],
  ['moderne-kunst', 'schilderijen', 'Moderne kunst', 'Modern art', 'Moderne Kunst'],
  ['sculptuur', null, 'Sculptuur', 'Sculpture', 'Skulptur'],
  ['papier', null, 'Werken op papier', 'Works on paper', 'Arbeiten auf Papier'],
  ['prenten', 'papier', 'Prenten', 'Prints', 'Druckgrafik'],
  ['tekeningen', 'papier', 'Tekeningen', 'Drawings', 'Zeichnungen'],
  ['boeken-en-kaarten', null, 'Boeken en kaarten', 'Books and maps', 'Bücher und Karten'],
  ['boeken', 'boeken-en-kaarten', 'Boeken', 'Books', 'Bücher'],
  ['kaarten', 'boeken-en-kaarten', 'Kaarten en globes', 'Maps and globes', 'Karten und Globen'],
  ['meubelen', null, 'Meubelen', 'Furniture', 'Möbel'],
  ['kastmeubelen', 'meubelen', 'Kasten en commodes', 'Cabinets and chests', 'Schränke und Kommoden'],
  ['zitmeubelen', 'meubelen', 'Zitmeubelen', 'Seat furniture', 'Sitzmöbel'],
  ['tafels', 'meubelen', 'Tafels', 'Tables', 'Tische'],
  ['spiegels', 'meubelen', 'Spiegels', 'Mirrors', 'Spiegel'],
  ['klokken-en-instrumenten', null, 'Klokken en instrumenten', 'Clocks and instruments', 'Uhren und Instrumente'],
  ['klokken', 'klokken-en-instrumenten', 'Klokken', 'Clocks', 'Großuhren'],
  [
    'instrumenten',
    'klokken-en-instrumenten',
    'Wetenschappelijke instrumenten',
    'Scientific instruments',
    'Wissenschaftliche Instrumente',
  ],
  ['zilver', null, 'Zilver en edel metaal', 'Silver and vertu', 'Silber und Edelmetall'],
  ['munten-en-penningen', null, 'Munten en penningen', 'Coins and medals', 'Münzen und Medaillen'],
  ['keramiek-en-glas', null, 'Keramiek en glas', 'Ceramics and glass', 'Keramik und Glas'],
  ['delfts', 'keramiek-en-glas', 'Delfts aardewerk', 'Dutch Delftware', 'Delfter Fayence'],
  ['plateel', 'keramiek-en-glas', 'Plateel en steengoed', 'Art pottery', 'Kunstkeramik'],
  ['porselein', 'keramiek-en-glas', 'Europees porselein', 'European porcelain', 'Europäisches Porzellan'],
  ['glas', 'keramiek-en-glas', 'Glas', 'Glass', 'Glas'],
  ['aziatische-kunst', null, 'Aziatische kunst', 'Asian art', 'Asiatische Kunst'],
  ['china', 'aziatische-kunst', 'China', 'China', 'China'],
  ['japan', 'aziatische-kunst', 'Japan', 'Japan', 'Japan'],
  ['juwelen-en-horloges', null, 'Juwelen en horloges', 'Jewellery and watches', 'Schmuck und Uhren'],
  ['juwelen', 'juwelen-en-horloges', 'Juwelen', 'Jewellery', 'Schmuck'],
  ['horloges', 'juwelen-en-horloges', 'Horloges', 'Watches', 'Taschen- und Armbanduhren'],
  ['design', null, 'Design', 'Design', 'Design'],
  ['verlichting', 'design', 'Verlichting', 'Lighting', 'Beleuchtung'],
  ['speelgoed', null, 'Speelgoed en curiosa', 'Toys and curiosities', 'Spielzeug und Kuriosa'],
]

export const deliveryClasses = {
  collect: {
    name: 'Afhalen',
    instructions:
      'Uitsluitend af te halen op afspraak, dinsdag tot en met vrijdag van 10 tot 17 uur, binnen tien werkdagen na de veiling. Hulp bij het laden is aanwezig; met twee transporteurs hebben wij vaste afspraken.',
  },
  parcel: {
    name: 'Verzekerde pakketpost',
    instructions:
      'Wij verpakken en verzenden verzekerd binnen vijf werkdagen na betaling. Binnen Nederland € 14,50, België en Duitsland € 22,50.',
  },
  fragile: {
    name: 'Breekbaar',
    instructions:
      'Wordt niet per post verzonden. Af te halen, of door onze kunsttransporteur te bezorgen op de maandelijkse ronde; vraag een prijs aan.',
  },
  courier: {
    name: 'Waardetransport',
    instructions: 'Alleen tegen legitimatie af te halen, of door waardetransport te bezorgen op kosten van de koper.',
  },
} as const
