import { picture, solid } from './piece.ts'
import type { Piece } from './piece.ts'

const bronze: Piece = {
  ref: 'rondeel-twee-figuren',
  title: [
    'Maartje Rondeel (1908–1987), Twee figuren in de wind',
    'Maartje Rondeel (1908–1987), Two figures in the wind',
    'Maartje Rondeel (1908–1987), Zwei Figuren im Wind',
  ],
  description: [
    'Brons, groenbruin gepatineerd, op zwart natuurstenen sokkel. Onderaan gemonogrammeerd ‘MR’ en genummerd 3/6, gietersmerk. Ontworpen in 1959 als voorstudie voor een niet uitgevoerd monument aan de Zeeuwse kust.',
    'Bronze with green-brown patina, on a black stone base. Monogrammed ‘MR’ near the bottom and numbered 3/6, with foundry mark. Conceived in 1959 as a study for a monument on the Zeeland coast that was never carried out.',
    'Bronze, grünbraun patiniert, auf schwarzem Steinsockel. Unten monogrammiert „MR“ und nummeriert 3/6, mit Gießerstempel. 1959 als Vorstudie für ein nicht ausgeführtes Denkmal an der Küste Zeelands entstanden.',
  ],
  condition: [
    'Patina op de hoogste punten licht afgesleten. Sokkel met een schilfer aan de achterzijde.',
    'Patina slightly worn at the highest points. A chip to the back of the base.',
    'Patina an den Höhen leicht berieben. Sockel rückseitig mit einer Abplatzung.',
  ],
  size: solid(38.5, 17, 15),
  estimate: [1200, 1800],
  categories: ['sculptuur', 'moderne-kunst'],
  makers: ['rondeel'],
  delivery: 'fragile',
  picture: picture('bronze', '#4d4a3a'),
  views: 2,
}

export const sculpture: readonly Piece[] = [
  bronze,
  {
    ref: 'rondeel-reiger',
    title: [
      'Maartje Rondeel (1908–1987), Reiger',
      'Maartje Rondeel (1908–1987), Heron',
      'Maartje Rondeel (1908–1987), Reiher',
    ],
    description: [
      'Brons met lichtgroene patina, op de plint gemonogrammeerd ‘MR’. De gestrekte hals en de tot twee vlakken teruggebrachte vleugel tonen hoe zij een dier tot zijn houding herleidde.',
      'Bronze with pale green patina, monogrammed ‘MR’ on the plinth. The outstretched neck and the wing reduced to two planes show how she brought an animal back to its bearing.',
      'Bronze mit hellgrüner Patina, auf der Plinthe monogrammiert „MR“. Der gestreckte Hals und der auf zwei Flächen reduzierte Flügel zeigen, wie sie ein Tier auf seine Haltung zurückführte.',
    ],
    condition: [
      'In goede staat. Lichte oxidatie in de plooien.',
      'In good condition. Light oxidation in the recesses.',
      'In gutem Zustand. Leichte Oxidation in den Vertiefungen.',
    ],
    size: solid(44, 24, 14),
    estimate: [900, 1300],
    categories: ['sculptuur', 'moderne-kunst'],
    makers: ['rondeel'],
    delivery: 'fragile',
    picture: picture('bird', '#5b6a58'),
    views: 2,
  },
]
