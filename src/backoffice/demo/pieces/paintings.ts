import { picture, sheet, sight } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const sound: Text = [
  'Doek niet bedoekt, op het oorspronkelijke spieraam. Fijn craquelé in de lucht, enkele kleine retouches langs de randen zichtbaar onder UV. Vernis licht vergeeld.',
  'Canvas unlined, on its original stretcher. Fine craquelure in the sky, a few small retouchings along the edges visible under UV. Varnish slightly yellowed.',
  'Leinwand nicht doubliert, auf dem originalen Keilrahmen. Feines Craquelé im Himmel, einige kleine Retuschen an den Rändern unter UV sichtbar. Firnis leicht vergilbt.',
]

const relined: Text = [
  'Bedoekt in de twintigste eeuw. Verspreide oude retouches, onder meer in de donkere partijen. Lijst met kleine schades aan de hoeken.',
  'Relined in the twentieth century. Scattered old retouching, among others in the dark passages. Frame with small losses at the corners.',
  'Im zwanzigsten Jahrhundert doubliert. Verstreute alte Retuschen, unter anderem in den dunklen Partien. Rahmen mit kleinen Fehlstellen an den Ecken.',
]

const panel: Text = [
  'Paneel uit één plank, licht hol getrokken, randen afgeschuind. Een dichtgezette barst van circa 9 cm vanaf de onderrand. Schoongemaakt.',
  'Single-plank panel, slightly warped, edges bevelled. A closed split of about 9 cm from the lower edge. Cleaned.',
  'Tafel aus einem Brett, leicht verwölbt, Ränder abgefast. Ein geschlossener Riss von etwa 9 cm ab der Unterkante. Gereinigt.',
]

const fresh: Text = [
  'In goede staat, verflaag fris. Minieme wrijvingssporen van de lijst.',
  'In good condition, paint surface fresh. Minimal frame rubbing.',
  'In gutem Zustand, Malschicht frisch. Minimale Reibspuren des Rahmens.',
]

const mill: Piece = {
  ref: 'hoogerwoud-molen',
  title: [
    'Adriaan Hoogerwoud (1838–1904), Poldervaart met molen bij zomerdag',
    'Adriaan Hoogerwoud (1838–1904), Polder canal with a windmill on a summer’s day',
    'Adriaan Hoogerwoud (1838–1904), Polderkanal mit Windmühle an einem Sommertag',
  ],
  description: [
    'Olieverf op doek, rechtsonder gesigneerd ‘A. Hoogerwoud f.’. De schilder woonde van 1871 tot 1889 in Noorden en koos telkens hetzelfde lage standpunt aan de vaart; de witte wolkenkoppen en de vetgroene oever zijn kenmerkend voor deze jaren. In vergulde lijst met acanthusranden. Herkomst: particuliere verzameling, Bodegraven, sinds circa 1935 in de familie.',
    'Oil on canvas, signed lower right ‘A. Hoogerwoud f.’. The painter lived at Noorden from 1871 to 1889 and time and again chose the same low viewpoint by the water; the towering white clouds and lush green bank are typical of these years. In a gilt frame with acanthus borders. Provenance: private collection, Bodegraven, in the family since about 1935.',
    'Öl auf Leinwand, unten rechts signiert „A. Hoogerwoud f.“. Der Maler lebte von 1871 bis 1889 in Noorden und wählte immer wieder denselben tiefen Blickpunkt am Wasser; die weißen Wolkentürme und das satte Ufergrün sind für diese Jahre bezeichnend. In vergoldetem Rahmen mit Akanthusborten. Provenienz: Privatsammlung, Bodegraven, seit etwa 1935 in Familienbesitz.',
  ],
  condition: sound,
  size: sight(48, 72.5),
  estimate: [2400, 3200],
  categories: ['negentiende-eeuw'],
  makers: ['hoogerwoud'],
  delivery: 'fragile',
  picture: picture('landscape', '#c39a4a', '#6f7a45', '#8fa6b5'),
  views: 2,
}

const marine: Piece = {
  ref: 'steyling-bomschuit',
  title: [
    'Jacob Steyling (1851–1921), Vissersschepen voor de kust',
    'Jacob Steyling (1851–1921), Fishing boats off the coast',
    'Jacob Steyling (1851–1921), Fischerboote vor der Küste',
  ],
  description: [
    'Olieverf op doek, linksonder gesigneerd ‘J. Steyling’. Bij een matte bries lopen de schepen binnen; de kust ligt buiten beeld, alleen de kleur van het ondiepe water verraadt haar. Steyling voer in zijn jeugd zelf mee op de haringvangst en schilderde tuigage zonder fouten.',
    'Oil on canvas, signed lower left ‘J. Steyling’. The boats are coming in on a slack breeze; the shore lies outside the picture and is betrayed only by the colour of the shallow water. In his youth Steyling sailed with the herring fleet himself and painted rigging without a fault.',
    'Öl auf Leinwand, unten links signiert „J. Steyling“. Bei flauer Brise laufen die Boote ein; die Küste liegt außerhalb des Bildes und verrät sich nur durch die Farbe des flachen Wassers. Steyling fuhr in seiner Jugend selbst zum Heringsfang mit und malte die Takelage ohne Fehler.',
  ],
  condition: relined,
  size: sight(55, 88),
  estimate: [1800, 2500],
  categories: ['negentiende-eeuw'],
  makers: ['steyling'],
  delivery: 'fragile',
  picture: picture('seascape', '#b88d3e', '#6d8478', '#8d9aa3'),
  views: 2,
}

const flowers: Piece = {
  ref: 'dolleman-boeket',
  title: [
    'Anna Quirina Dolleman (1862–1939), Boeket met pioenen en late tulpen',
    'Anna Quirina Dolleman (1862–1939), Bouquet with peonies and late tulips',
    'Anna Quirina Dolleman (1862–1939), Strauß mit Pfingstrosen und späten Tulpen',
  ],
  description: [
    'Olieverf op paneel, rechtsonder gesigneerd en gedateerd ‘A.Q. Dolleman 1897’. Dolleman kreeg haar opleiding aan de tekenacademie in Den Haag en bleef haar leven lang aan één onderwerp trouw. De bloemen in de schaduw zijn nat in nat gezet, die in het licht pas weken later eroverheen.',
    'Oil on panel, signed and dated lower right ‘A.Q. Dolleman 1897’. Trained at the drawing academy in The Hague, Dolleman stayed true to a single subject all her life. The flowers in shadow were painted wet in wet, those in the light laid over them only weeks later.',
    'Öl auf Holz, unten rechts signiert und datiert „A.Q. Dolleman 1897“. An der Zeichenakademie in Den Haag ausgebildet, blieb Dolleman ihr Leben lang einem einzigen Thema treu. Die Blüten im Schatten sind nass in nass gemalt, die im Licht erst Wochen später darübergesetzt.',
  ],
  condition: panel,
  size: sight(46, 37.5),
  estimate: [3000, 4500],
  categories: ['negentiende-eeuw'],
  makers: ['dolleman'],
  delivery: 'fragile',
  picture: picture('stillLife', '#33241a', '#3b3026', '#d88a7a', '#f0d9b0', '#8c4a6a', '#f4efe6', '#c4574e'),
  views: 2,
}

const abstract: Piece = {
  ref: 'wessem-compositie',
  title: [
    'Lou van Wessem (1919–1994), Compositie met gele schijf',
    'Lou van Wessem (1919–1994), Composition with a yellow disc',
    'Lou van Wessem (1919–1994), Komposition mit gelber Scheibe',
  ],
  description: [
    'Olieverf op doek, op de achterzijde gesigneerd, gedateerd 1957 en genummerd 12. Uit de jaren waarin Van Wessem zijn palet terugbracht tot vijf kleuren die hij zelf wreef. Tentoongesteld in de kunstzaal van de Arnhemse academie, 1958; etiket op het spieraam.',
    'Oil on canvas, signed, dated 1957 and numbered 12 on the reverse. From the years in which Van Wessem reduced his palette to five colours he ground himself. Exhibited in the art room of the Arnhem academy in 1958; label on the stretcher.',
    'Öl auf Leinwand, rückseitig signiert, datiert 1957 und nummeriert 12. Aus den Jahren, in denen Van Wessem seine Palette auf fünf selbst angeriebene Farben beschränkte. Ausgestellt im Kunstsaal der Akademie Arnheim, 1958; Etikett auf dem Keilrahmen.',
  ],
  condition: fresh,
  size: sheet(65, 78),
  estimate: [1500, 2200],
  categories: ['moderne-kunst'],
  makers: ['wessem'],
  delivery: 'fragile',
  picture: picture('abstraction', '#e9e4da', '#d9a441', '#2f4a6d', '#b5573a', '#3a3a36'),
  views: 1,
}

export const paintings: readonly Piece[] = [
  mill,
  {
    ...mill,
    ref: 'hoogerwoud-avond',
    title: [
      'Adriaan Hoogerwoud (1838–1904), Avond aan de plas',
      'Adriaan Hoogerwoud (1838–1904), Evening by the lake',
      'Adriaan Hoogerwoud (1838–1904), Abend am See',
    ],
    description: [
      'Olieverf op paneel, rechtsonder gesigneerd met de initialen ‘A.H.’. Een kleine, snel gezette studie naar de natuur, waarschijnlijk in één zitting voltooid. Op de achterzijde in potlood ‘Noorden, september’.',
      'Oil on panel, signed lower right with the initials ‘A.H.’. A small, swiftly set study from nature, probably finished in a single sitting. Inscribed in pencil on the reverse ‘Noorden, september’.',
      'Öl auf Holz, unten rechts mit den Initialen „A.H.“ signiert. Kleine, rasch hingesetzte Naturstudie, wohl in einer einzigen Sitzung vollendet. Rückseitig in Bleistift „Noorden, september“.',
    ],
    condition: panel,
    size: sight(19.5, 28),
    estimate: [700, 1000],
    picture: picture('landscape', '#8a6a34', '#5f6238', '#c99a78'),
    views: 1,
  },
  {
    ...mill,
    ref: 'hoogerwoud-herfst',
    title: [
      'Adriaan Hoogerwoud (1838–1904), Najaarsdag in het polderland',
      'Adriaan Hoogerwoud (1838–1904), Autumn day in the polders',
      'Adriaan Hoogerwoud (1838–1904), Herbsttag im Polderland',
    ],
    size: sight(34, 52),
    estimate: [1400, 1900],
    condition: relined,
    picture: picture('landscape', '#b08a3e', '#8a7440', '#a7aaa6'),
    views: 1,
  },
  marine,
  {
    ...marine,
    ref: 'steyling-avondlicht',
    title: [
      'Jacob Steyling (1851–1921), Kalme zee bij avondlicht',
      'Jacob Steyling (1851–1921), Calm sea in evening light',
      'Jacob Steyling (1851–1921), Ruhige See im Abendlicht',
    ],
    size: sight(30, 45.5),
    estimate: [800, 1200],
    condition: sound,
    picture: picture('seascape', '#a5803a', '#8d7f78', '#c7a08c', '#e6d2a6'),
    views: 1,
  },
  flowers,
  {
    ...flowers,
    ref: 'dolleman-asters',
    title: [
      'Anna Quirina Dolleman (1862–1939), Asters in een stenen kan',
      'Anna Quirina Dolleman (1862–1939), Asters in a stoneware jug',
      'Anna Quirina Dolleman (1862–1939), Astern in einem Steinzeugkrug',
    ],
    description: [
      'Olieverf op doek, linksboven gesigneerd ‘A.Q. Dolleman’. Een laat werk: de achtergrond is bijna kleurloos geworden en alle aandacht gaat naar het paars en het wit van de asters.',
      'Oil on canvas, signed upper left ‘A.Q. Dolleman’. A late work: the background has become almost colourless, and all attention goes to the purple and white of the asters.',
      'Öl auf Leinwand, oben links signiert „A.Q. Dolleman“. Ein Spätwerk: Der Hintergrund ist fast farblos geworden, alle Aufmerksamkeit gilt dem Violett und Weiß der Astern.',
    ],
    condition: sound,
    size: sight(51, 41),
    estimate: [1600, 2400],
    picture: picture('stillLife', '#8a6a34', '#6a6a60', '#7a5a8c', '#efeae2', '#9c7fae', '#c9b8d4'),
    views: 1,
  },
  {
    ref: 'boelhouwer-ijsgezicht',
    title: [
      'Carel Boelhouwer (1826–1889), IJsvermaak bij een dorp',
      'Carel Boelhouwer (1826–1889), Skaters near a village',
      'Carel Boelhouwer (1826–1889), Eisvergnügen bei einem Dorf',
    ],
    description: [
      'Olieverf op paneel, rechtsonder gesigneerd ‘C. Boelhouwer’. Een levendig gestoffeerd ijsgezicht, met schaatsers tot aan de einder en een boerderij onder de sneeuw. Boelhouwer herhaalde de boom links op vrijwel elk winterlandschap, als was het zijn handtekening. In zwarte profiellijst.',
      'Oil on panel, signed lower right ‘C. Boelhouwer’. A lively winter scene, with skaters as far as the horizon and a farmhouse under snow. Boelhouwer repeated the tree on the left in nearly every winter landscape, as though it were his signature. In a black moulded frame.',
      'Öl auf Holz, unten rechts signiert „C. Boelhouwer“. Reich staffierte Winterszene, mit Schlittschuhläufern bis zum Horizont und einem verschneiten Bauernhaus. Boelhouwer wiederholte den Baum links in fast jeder Winterlandschaft, als sei er seine Signatur. In schwarzem Profilrahmen.',
    ],
    condition: panel,
    size: sight(33, 46.5),
    estimate: [3500, 5000],
    categories: ['negentiende-eeuw'],
    makers: ['boelhouwer'],
    delivery: 'fragile',
    picture: picture('winter', '#4b3424'),
    views: 2,
  },
  {
    ref: 'terlaeck-lezende-vrouw',
    title: [
      'Willem Terlaeck (1872–1941), Lezende vrouw bij het venster',
      'Willem Terlaeck (1872–1941), Woman reading by the window',
      'Willem Terlaeck (1872–1941), Lesende Frau am Fenster',
    ],
    description: [
      'Olieverf op doek, rechtsonder gesigneerd en gedateerd ‘W. Terlaeck 09’. Het licht valt van links over een tegelvloer, de zeventiende-eeuwse kan op tafel keert op meer van zijn interieurs terug. Waarschijnlijk zat zijn zuster Johanna model.',
      'Oil on canvas, signed and dated lower right ‘W. Terlaeck 09’. Light falls from the left across a tiled floor; the seventeenth-century jug on the table returns in several of his interiors. The sitter is probably his sister Johanna.',
      'Öl auf Leinwand, unten rechts signiert und datiert „W. Terlaeck 09“. Das Licht fällt von links über einen Fliesenboden; der Krug des siebzehnten Jahrhunderts auf dem Tisch kehrt in mehreren seiner Interieurs wieder. Modell saß vermutlich seine Schwester Johanna.',
    ],
    condition: sound,
    size: sight(61, 51),
    estimate: [2000, 3000],
    categories: ['negentiende-eeuw', 'moderne-kunst'],
    makers: ['terlaeck'],
    delivery: 'fragile',
    picture: picture('interior', '#2c1f17', '#b79f78', '#2f4a6d'),
    views: 2,
  },
  {
    ref: 'portret-regentes',
    title: [
      'Hollandse school, eind 17de eeuw, Portret van een jonge vrouw in zwart',
      'Dutch school, late 17th century, Portrait of a young woman in black',
      'Holländische Schule, Ende 17. Jahrhundert, Bildnis einer jungen Frau in Schwarz',
    ],
    description: [
      'Olieverf op doek, niet gesigneerd. Borststuk naar links. Een latere hand heeft op de achterzijde ‘Juffr. van Dam’ geschreven, maar de identiteit is niet bevestigd. De witte kraag is met zekere, korte streken gezet.',
      'Oil on canvas, unsigned. Bust length, turned to the left. A later hand has written ‘Juffr. van Dam’ on the reverse, but the identity is not confirmed. The white collar is set down in short, assured strokes.',
      'Öl auf Leinwand, unsigniert. Brustbild nach links. Eine spätere Hand schrieb rückseitig „Juffr. van Dam“, doch die Identität ist nicht gesichert. Der weiße Kragen ist mit kurzen, sicheren Strichen gesetzt.',
    ],
    condition: relined,
    size: sight(68, 56),
    estimate: [1500, 2500],
    categories: ['oude-schilderijen'],
    delivery: 'fragile',
    picture: picture('portrait', '#a87f3a', '#2d2f38', '#5d5140', '#4a3627'),
    views: 1,
  },
  {
    ref: 'portret-koopman',
    title: [
      'Noord-Nederlandse school, circa 1780, Portret van een koopman',
      'Northern Netherlandish school, circa 1780, Portrait of a merchant',
      'Nordniederländische Schule, um 1780, Bildnis eines Kaufmanns',
    ],
    description: [
      'Pastel op perkament, achter oud glas. De geportretteerde draagt een wijnrode jas; op de schutplank een lakzegel en een inventarisnummer uit een nalatenschap te Harlingen.',
      'Pastel on vellum, behind old glass. The sitter wears a burgundy coat; a wax seal and an inventory number from an estate at Harlingen on the backboard.',
      'Pastell auf Pergament, hinter altem Glas. Der Dargestellte trägt einen weinroten Rock; auf dem Rückbrett ein Lacksiegel und eine Inventarnummer aus einem Nachlass in Harlingen.',
    ],
    condition: [
      'Kleuren fris. Enkele vochtplekjes in de onderste hoek links, glas met krasjes. Niet uitgelijst.',
      'Colours fresh. A few small damp spots lower left, glass scratched. Not examined out of the frame.',
      'Farben frisch. Einige kleine Feuchtigkeitsflecken unten links, Glas mit Kratzern. Nicht ausgerahmt.',
    ],
    size: sight(37, 30),
    estimate: [600, 900],
    categories: ['oude-schilderijen'],
    delivery: 'fragile',
    picture: picture('portrait', '#8d6c34', '#6a2530', '#6b6a5c', '#b9b2a4'),
    views: 1,
  },
  abstract,
  {
    ...abstract,
    ref: 'wessem-blauw',
    title: [
      'Lou van Wessem (1919–1994), Blauw tegen zwart',
      'Lou van Wessem (1919–1994), Blue against black',
      'Lou van Wessem (1919–1994), Blau gegen Schwarz',
    ],
    description: [
      'Gouache op papier, rechtsonder gesigneerd en gedateerd ’63. Achter museumglas ingelijst. Aangekocht bij de kunstenaar door de vader van de inbrenger.',
      'Gouache on paper, signed and dated lower right ’63. Framed behind museum glass. Bought from the artist by the consignor’s father.',
      'Gouache auf Papier, unten rechts signiert und datiert ’63. Hinter Museumsglas gerahmt. Vom Vater des Einlieferers beim Künstler erworben.',
    ],
    size: sight(42, 50),
    estimate: [500, 800],
    picture: picture('abstraction', '#2b2926', '#2f5f8d', '#1f1d1b', '#8fb0c4', '#e0d8c4'),
    views: 1,
  },
]
