import type { Example } from './example.ts'

/** What a search finds and does not find in Hungarian. */
export const hu: Example[] = [
  // The first half, written before the rules.
  {
    text: 'Festmény, olaj, vászon',
    finds: ['festmények', 'festményt', 'festményen', 'vásznak', 'olajjal', 'festmeny'],
  },
  { text: 'Váza virágokkal', finds: ['vázák', 'vázát', 'virág', 'virágok', 'vaza', 'vázával'] },
  { text: 'Képek keretben', finds: ['kép', 'képet', 'képpel', 'keret', 'keretek', 'kepek'], misses: ['képző'] },
  { text: 'Budapesti képző', finds: ['képzők', 'budapest'], misses: ['képet', 'képek'] },
  { text: 'Kéz, gipszből', finds: ['kezek', 'kezet', 'kézzel', 'gipsz', 'kez'] },
  { text: 'Velencei tükör', finds: ['tükrök', 'tükröt', 'velence', 'tukor', 'tükörrel'] },
  { text: 'Lovak az itatónál', finds: ['lovat', 'itató', 'lovakkal'], misses: ['lóhere'] },
  { text: 'Lóhere alakú bross', finds: ['lóherék', 'brossok', 'brosst'], misses: ['ló ', 'lovak'] },
  { text: 'Madár fészken', finds: ['madarak', 'madarat', 'fészek', 'fészkek', 'madarral'] },
  { text: 'Könyvek bőrkötésben', finds: ['könyv', 'könyvet', 'konyv', 'bőrkötés', 'borkotes', 'könyvvel'] },
  { text: 'Asztali óra', finds: ['asztal', 'órák', 'órát', 'asztalok', 'orak'], misses: ['óriás'] },
  { text: 'Óriás és törpe', finds: ['óriások', 'törpék', 'óriást'], misses: ['óra ', 'órák'] },
  { text: 'Szék, hajlított', finds: ['székek', 'széket', 'szekek', 'székkel'], misses: ['székely', 'székelyek'] },
  { text: 'Székely kapu', finds: ['székelyek', 'kapuk', 'kaput'], misses: ['székek', 'székkel'] },
  { text: 'Gyűrű ezüstből', finds: ['gyűrűk', 'gyűrűt', 'ezüst', 'ezüsttel', 'gyuru ezust', 'gyűrűvel'] },
  { text: 'Kövek és fák', finds: ['követ', 'fából'] },
  { text: 'Tányérok, Herend', finds: ['tányér', 'tányért', 'herendi', 'Herenden', 'tanyer'] },
  { text: 'Kehely, aranyozott', finds: ['kelyhek', 'kelyhet', 'aranyozottak', 'kehellyel'] },
  { text: 'Tálak, festett', finds: ['tál ', 'tálat', 'tállal', 'festettek'], misses: ['tábla', 'táblák'] },
  { text: 'Tábla képekkel', finds: ['táblák', 'táblát', 'táblán'], misses: ['tál ', 'tálak'] },
  { text: 'Csendélet halakkal', finds: ['hal ', 'halat', 'halak', 'csendéletek'], misses: ['halál', 'halála'] },
  { text: 'A halál és a lány', finds: ['halált', 'lányok', 'halálról'], misses: ['halak', 'hal '] },
  { text: 'Kard hüvelyben', finds: ['kardok', 'kardot', 'hüvely', 'karddal'] },
  { text: 'Karok, bronz', finds: ['kar ', 'kart ', 'karral', 'bronzból'] },
  { text: 'Az esztergomi vár', finds: ['várak', 'várat', 'esztergom', 'várban'], misses: ['város', 'városok'] },
  { text: 'Városok térképe', finds: ['város', 'várost', 'térkép', 'térképek', 'városban'], misses: ['várak', 'vár '] },
  { text: 'Falu télen', finds: ['faluban', 'falvak', 'tél ', 'falut'], misses: ['fal ', 'falak'] },
  { text: 'Falak, romok', finds: ['fal ', 'falat', 'rom ', 'falakkal'], misses: ['falut', 'faluban'] },
  {
    text: 'Ásító inas',
    maker: 'Munkácsy Mihály',
    finds: ['Munkácsyt', 'Munkácsynak', 'munkacsy', 'Munkácsytól', 'inasok'],
  },
  {
    text: 'Önarckép',
    maker: 'Rembrandt van Rijn',
    finds: ['Rembrandtot', 'Rembrandtnak', 'Rembrandttól', 'onarckepek'],
  },
  { text: 'Galamb', maker: 'Pablo Picasso', finds: ['Picassót', 'Picassónak', 'galambok', 'Picassótól'] },
  {
    text: 'Magányos cédrus',
    maker: 'Csontváry Kosztka Tivadar',
    finds: ['Csontváryt', 'Csontváry cédrusok', 'csontvary'],
  },
  { text: 'Art deco lámpa', finds: ['artdeco', 'art-deco lámpák', 'lampa art déco', 'lámpát'] },
  { text: 'Karóra', finds: ['karórák', 'karórát', 'kar óra', 'kar-óra'] },
  { text: 'Kávéskanna', finds: ['kávéskannák', 'kaveskanna', 'kávéskannát'] },
  {
    text: 'Zsolnay kaspó',
    finds: ['kaspók', 'Zsolnay-kaspó', 'zsolnaykaspó', 'zsolanay kaspó', 'kaspót'],
    corrected: { zsolanay: ['zsolnay'] },
  },
  { text: 'Hollóházi kaspó', finds: ['kaspók hollóháza', 'hollohazi kaspo'], misses: ['zsolanay kaspó'] },
  // The second half.
  { text: 'Szénrajz', maker: 'Richmond György', finds: ['Richmondnak', 'richmondtól', 'Richmondot'] },
]
