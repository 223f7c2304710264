import type { Example } from './example.ts'

/** What a search finds and does not find in German. */
export const de: Example[] = [
  // The first half, written before the rules.
  {
    text: 'Ölgemälde, Blumen in einem Krug',
    finds: ['gemalde', 'Gemälde', 'gemaelde', 'Oelgemaelde', 'blume krüge', 'Blumen Kruege', 'ÖLGEMÄLDE'],
  },
  { text: 'Alpen, Öl auf Leinwand', finds: ['oel leinwand', 'ol leinwand', 'Leinwände'], misses: ['Gemälde'] },
  { text: 'Art-déco-Uhr', finds: ['artdeco', 'art deco uhren', 'Art Deco Uhr', 'Artdeco Uhr'] },
  { text: 'Artdeco Lampe', finds: ['art deco lampen', 'art-deco-lampe', 'Lampen'] },
  { text: 'Silberbecher, Augsburg', finds: ['silber becher', 'becher augsburg', 'Silberbechern', 'silber-becher'] },
  { text: 'Becher aus Silber, vergoldet', finds: ['vergoldete Becher', 'Bechern', 'vergoldeter becher silber'] },
  // The part and the rest are words of the house, even of two letters.
  { text: 'Eibecher', finds: ['becher', 'Eibechern', 'bechern'], misses: ['Eimer'] },
  { text: 'Ei aus Email', finds: ['ei email'] },
  { text: 'Goldene Taschenuhr', finds: ['Taschenuhren golden', 'taschen goldene', 'goldenen Taschenuhr'] },
  { text: 'Tasche aus Leder', finds: ['taschen', 'leder taschen'], misses: ['Taschenuhr'] },
  { text: 'Vase, Steingut', finds: ['vasen steingut'], misses: ['blumenvase'] },
  { text: 'Blumenvase', finds: ['vase', 'vasen', 'Blumenvasen', 'blumen vasen'] },
  {
    text: 'Bücherschrank, Eiche',
    finds: ['schrank', 'schränke', 'schraenke eiche', 'Bücherschränke', 'bucherschrank'],
  },
  { text: 'Buch mit Kupferstichen', finds: ['bücher', 'buecher', 'kupferstich', 'bucher kupferstiche'] },
  { text: 'Bauerntisch', finds: ['tisch', 'tische', 'bauern tisch', 'Bauerntische'] },
  { text: 'Bauern beim Tanz', finds: ['bauer', 'tänze bauern'], misses: ['bauerntisch'] },
  { text: 'Kaffeekanne, Porzellan', finds: ['kanne', 'kannen porzellan', 'Kaffeekannen', 'kaffee kanne'] },
  // A part must begin or end a word.
  { text: 'Dose für Kaffee', finds: ['dosen kaffee'], misses: ['affe', 'affen'] },
  { text: 'Affe mit Spiegel', finds: ['affen', 'spiegeln'], misses: ['kaffee'] },
  // "Ab", "zu" and "auf" are prefixes here, which make another word.
  {
    text: 'Altarbild mit Abbildung der Stadt, bis zu 20 cm',
    finds: ['abbildungen', 'bild', 'städte'],
    misses: ['bildung'],
  },
  { text: 'Altar zur Bildung der Jugend', finds: ['altäre', 'altaere bildung', 'bildung'], misses: ['abbildung'] },
  { text: 'Globus in gutem Zustand', finds: ['gute zustände', 'globus guter zustand'], misses: ['stand', 'stand '] },
  { text: 'Stand für Schirme', finds: ['schirm', 'stände', 'schirmen stand'], misses: ['zustand'] },
  { text: 'Aufsatz auf vier Füßen', finds: ['aufsätze', 'fuß', 'fuesse', 'fusse'], misses: ['satz', 'sätze'] },
  { text: 'Satz Gewichte', finds: ['sätze', 'gewicht', 'saetze gewichte'], misses: ['aufsatz', 'aufsätze'] },
  { text: 'Urkunde mit Siegel', finds: ['urkunden', 'siegeln'], misses: ['kunde', 'kunden'] },
  { text: 'Kunde beim Goldschmied', finds: ['kunden', 'goldschmiede', 'kunde'], misses: ['urkunde', 'urkunden'] },
  { text: 'Straße in Meißen', finds: ['strasse', 'Straßen', 'MEISSEN', 'strassen meissen'] },
  {
    text: 'Meissener Teller, bemalt',
    finds: ['tellern', 'Meißener Teller', 'bemalte teller', 'meisener teller'],
    corrected: { meisener: ['meissener'] },
  },
  { text: 'Geschnitzter Stuhl', finds: ['stühle', 'stuehle', 'geschnitzte Stühle', 'geschnitzt', 'stuhles'] },
  { text: 'Bemaltes Glas, signiert', finds: ['gläser', 'glaeser', 'signierte gläser', 'bemalt glas', 'glases'] },
  { text: 'Frauen am Fluss', finds: ['frau', 'flüsse', 'Fluß', 'frau fluss'] },
  { text: 'Mann mit Kindern vor einem Haus', finds: ['männer', 'kind', 'häuser', 'kinder mann', 'haeuser'] },
  { text: 'Schlösser und Bäume', finds: ['schloss', 'baum', 'Schloß', 'baeume schloesser', 'baum schlosses'] },
  { text: 'Silberne Löffel', finds: ['löffeln', 'loeffel', 'silberner Löffel', 'loffel'] },
  { text: 'Selbstbildnis', maker: 'Rembrandt van Rijn', finds: ['Rembrandts', 'rembrandts selbstbildnisse'] },
  { text: 'Feldhase', maker: 'Albrecht Dürer', finds: ['Dürers', 'duerers feldhase', 'durer', 'Duerer feldhasen'] },
  {
    text: 'Der Mönch am Meer',
    maker: 'Caspar David Friedrich',
    finds: ['Friedrichs Mönch', 'moenche', 'friedrichs meere'],
  },
  { text: 'Der Kuss', maker: 'Gustav Klimt', finds: ['Klimts', 'klimts küsse', 'Kuß klimt'], misses: ['Küste'] },
  { text: 'Küste bei Rügen', finds: ['küsten', 'kueste ruegen', 'kuste'], misses: ['küsse'] },
  // Hunting horn and hornet, a girl and a maggot.
  { text: 'Jagdhorn', finds: ['horn', 'hörner', 'jagdhörner', 'jagd horn'], misses: ['hornisse'] },
  { text: 'Jagd auf Hirsche', finds: ['jagden', 'hirsch', 'hirschen'], misses: ['jacht'] },
  { text: 'Hornisse, Präparat', finds: ['hornissen', 'praeparate'], misses: ['horn ', 'hörner'] },
  { text: 'Mädchen mit Krone', finds: ['maedchen', 'madchen kronen'], misses: ['made ', 'maden'] },
  { text: 'Made in Bernstein', finds: ['maden', 'bernsteine'], misses: ['mädchen'] },
  {
    text: 'Biedermeier-Kommode, Nussbaum',
    finds: ['biedermeierkommode', 'kommoden', 'Nußbaum', 'bidermeier kommode', 'nussbaum komode'],
    corrected: { bidermeier: ['biedermeier'], komode: ['kommode'] },
  },
  { text: 'Barocke Kommode', finds: ['kommoden barock', 'barocker'], misses: ['bidermeier kommode'] },
  // The second half.
  // Prefixes and endings make other words, though they are words of the house: durch, ein, gegen, -isch, -er and -ei.
  { text: 'Teller durch Gebrauch berieben, Durchmesser 24 cm', finds: ['tellern', 'durchmesser'], misses: ['messer'] },
  { text: 'Jagdmesser und ein Gegenstand gegen Regen', finds: ['messer', 'messern', 'jagd messer'], misses: ['stand'] },
  { text: 'Band mit Wappen', finds: ['bänder', 'baender wappen'], misses: ['einband'] },
  { text: 'Ledereinband eines Buches', finds: ['einbände', 'ledereinband bücher'], misses: ['bänder'] },
  { text: 'Persischer Teppich aus Persien', finds: ['teppiche', 'persische teppiche'], misses: ['schere', 'scheren'] },
  { text: 'Schere aus Stahl', finds: ['scheren', 'stahl'], misses: ['persisch'] },
  // Two geschenke are no Schenk, though a Dutch stem says so.
  { text: 'Mundschenk mit Pokal, Miniatur', finds: ['pokale', 'mundschenke'], misses: ['geschenk', 'geschenke'] },
  { text: 'Geschenk für den Mund', finds: ['geschenke', 'münder'], misses: ['mundschenk'] },
  { text: 'Kirchenfenster', finds: ['fenstern', 'fenster', 'kirchen fenster', 'Kirche'] },
  { text: 'Fenster einer Kirche, Gouache', finds: ['kirchen', 'gouachen'], misses: ['kirchenfenster'] },
  { text: 'Eierbecher', finds: ['eier becher', 'bechern', 'Eierbechern'] },
  // A right word is not corrected: the house has a Tasche.
  { text: 'Frauen waschen am Bach', finds: ['"am bach" waschen', 'bäche'], misses: ['taschen "am bach"'] },
  {
    text: 'Weißblauer Krug',
    finds: ['weissblau', 'krüge -vase', 'weißblaue krüge'],
    begins: ['weissbl'],
    misses: ['"blauer krug"', 'weißblau -krug'],
  },
  {
    text: 'Jugendstil-Vase, Gallé',
    finds: ['"jugendstil vase"', 'jugendstilvase', 'galle vasen', 'vasen -blumenvase'],
    misses: ['galle -vasen'],
  },
  {
    text: 'Kupferstich nach Merian',
    finds: ['stiche merian', 'merian kupferstiche'],
    begins: ['kupferst'],
    misses: ['stahlstich'],
  },
  { text: 'Kupfer, Stahl und Messing', finds: ['"stahl und messing"'], misses: ['"messing und stahl"', 'kupferstich'] },
  { text: 'Zinnkrug, 1789', finds: ['1789', 'krüge 1789'], begins: ['zinnkrug 17'], misses: ['zinnkrug 1790'] },
  { text: 'Zinn und Blei', finds: ['zinn -krug', '"zinn und blei"'], misses: ['zinnkrug'] },
]
