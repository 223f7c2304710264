import type { Example } from './example.ts'

/** What a search finds and does not find in Dutch. */
export const nl: Example[] = [
  // The first half, written before the rules.
  {
    text: 'Vaas, Delfts blauw, met deksel',
    finds: ['delftsblauw', 'delfts-blauw', 'vaas delfts blauw', 'delfste vaas'],
    corrected: { delfste: ['delfts'] },
  },
  {
    text: 'Delftsblauwe schotel met chinoiserie',
    finds: ['delfts blauwe schotel', 'delfts blauwe', 'schotels delftsblauw', 'chinoiserieën'],
  },
  { text: 'Kristallen vaas, geslepen', finds: ['vazen kristal', 'geslepen vazen'], misses: ['delfste vaas'] },
  { text: 'Art Deco klok', finds: ['artdeco klok', 'art-deco klokken', 'ART DÉCO klok'] },
  { text: 'Artdeco lamp in brons', finds: ['art deco lamp', 'art-deco lampen', 'bronzen lamp'] },
  { text: 'Paar zilveren tafelkandelaars', finds: ['kandelaar', 'kandelaars', 'tafelkandelaar', 'zilver kandelaar'] },
  { text: 'Mahonie tafel met laden', finds: ['tafels', 'lade mahonie', 'tafel lades'], misses: ['ladder'] },
  // A part counts if the rest is a word of the house.
  { text: 'Bibliotheekladder', finds: ['ladder', 'ladders', 'bibliotheek ladder'], misses: ['laden'] },
  {
    text: 'Eiken boekenkast uit een bibliotheek',
    finds: ['kast eiken', 'boekenkasten', 'boeken kast', 'bibliotheken'],
  },
  { text: 'Boek in perkament', finds: ['boeken', 'perkamenten boek'], misses: ['boekenkast'] },
  { text: 'Kast met versiering van ivoor', finds: ['kasten ivoren', 'versieringen'], misses: ['ring', 'ringen'] },
  { text: 'Gouden ring met briljant', finds: ['ringen goud', 'briljanten ring', 'gouden ringen'] },
  { text: 'Oorringen met granaat', finds: ['oorring', 'granaten oorringen'] },
  { text: 'Kop en schotel, het oor hersteld', finds: ['koppen', 'herstelde oren', 'schotel oren'] },
  { text: 'Drie foto’s van het IJsselmeer', finds: ["foto's", 'fotos', 'foto ĳsselmeer', 'IJsselmeer', 'Ĳsselmeer'] },
  { text: 'Kaart van ’s-Hertogenbosch', finds: ["'s-hertogenbosch", 's hertogenbosch', 'kaarten hertogenbosch'] },
  {
    text: 'De Nachtwacht, ets',
    maker: 'Rembrandt van Rijn',
    finds: ['Rembrandts', 'rembrandts etsen', 'Rembrandt’s ets'],
  },
  { text: 'Stilleven met appels', maker: 'Vincent van Gogh', finds: ['Van Goghs stilleven', 'goghs appel', 'vangogh'] },
  { text: 'Vrouw aan een venster', maker: 'Johannes Vermeer', finds: ['vrouwen vermeers', 'vermeers vensters'] },
  { text: 'Acrobaat', maker: 'Pablo Picasso', finds: ["Picasso's", 'picassos acrobaten', 'Picasso’s acrobaat'] },
  { text: 'Spelende kinderen in de sneeuw', finds: ['kind sneeuw', 'kinderen spelend'] },
  { text: 'Gesneden houten beeld van een heilige', finds: ['heiligen', 'beelden hout', 'gesneden beelden'] },
  { text: 'Portretminiatuur', finds: ['miniatuur', 'portretminiaturen', 'portret miniatuur'], misses: ['portier'] },
  {
    text: 'Geschilderd portret van een edelman',
    finds: ['geschilderde portretten', 'edelmannen'],
    misses: ['portier'],
  },
  { text: 'Pet van een portier', finds: ['portiers', 'petten'], misses: ['portret'] },
  { text: 'Zes schilderijen van een onbekende schilder', finds: ['schilderij', 'schilders', 'onbekend schilderij'] },
  // A jug and a canoe.
  { text: 'Tinnen kannen', finds: ['kan tin', 'tinnen kan', 'tin kannen'], misses: ["kano's", 'kano'] },
  { text: 'Kano van boombast', finds: ["kano's", 'kanos'], misses: ['kan ', 'kannen'] },
  { text: 'Boot met zeilen, miniatuur', finds: ['boten', 'zeil boot', 'miniaturen'] },
  { text: 'Zeegezicht met schepen', finds: ['schip', 'zeegezichten', 'gezicht schepen', 'gezichten schip'] },
  { text: 'De zee bij Scheveningen', finds: ['zeeën', 'scheveningen zee'] },
  { text: 'Glazen stolp', finds: ['glas stolp', 'stolpen'] },
  { text: 'Huis aan de gracht, gravure', finds: ['huizen', 'grachten gravures', 'huizen gracht'] },
  { text: 'Bord, gebroken en gelijmd', finds: ['borden', 'gelijmde borden', 'gebroken bord'] },
  {
    text: 'Zilveren lepel, gemerkt',
    finds: ['lepels gemerkte', 'zilver lepels', 'ziveren lepel'],
    corrected: { ziveren: ['zilveren'] },
  },
  {
    text: 'Rococo spiegel, verguld',
    finds: ['vergulde spiegels', 'spigel rococo', 'vergulde spiegel rococco'],
    corrected: { spigel: ['spiegel'], rococco: ['rococo'] },
  },
  { text: 'Theepot van aardewerk', finds: ['thee pot', 'theepotten', 'aardewerken theepot'] },
  { text: 'Doos voor thee, Japans lakwerk', finds: ['dozen', 'japanse doos', 'thee lakwerk'], misses: ['theepot'] },
  { text: 'Café-interieur met boeren', finds: ['cafe interieur', 'caféinterieur', 'boer interieurs', 'café boeren'] },
  { text: 'Brief van de coöperatie', finds: ['cooperatie brieven', 'coöperaties'] },
  // Pigeons and a devil.
  { text: 'Duif van porselein', finds: ['duiven', 'porseleinen duif'], misses: ['duivel', 'duivels'] },
  { text: 'Duivel met drietand', finds: ['duivels'], misses: ['duiven', 'duif'] },
  // "Be", "op" and "uit" are prefixes here, which make another word.
  { text: 'Kist met koperen beslag', finds: ['kisten koper', 'beslag kist'], misses: ['slag', 'slagen'] },
  { text: 'Veldslag bij Waterloo', finds: ['slag waterloo', 'veldslagen', 'slag'] },
  { text: 'Koeien in een veld', finds: ['koe', 'velden koeien'], misses: ['veldslag'] },
  { text: 'Album met opdracht op het schutblad', finds: ['opdrachten', 'albums'], misses: ['dracht', 'drachten'] },
  { text: 'Eerste uitgave, uit Antwerpen', finds: ['uitgaven', 'eerste uitgaven'], misses: ['gave', 'gaven'] },
  { text: 'Gave kom', finds: ['gaaf', 'kommen', 'gave kommen'], misses: ['uitgave', 'uitgaven'] },
  { text: 'Pop in Zeeuwse dracht', finds: ['drachten', 'poppen dracht', 'Zeeuws'], misses: ['opdracht'] },
  // The second half.
  // Prefixes make other words, though they are words of the house: door, toe, voor.
  {
    text: 'Bord met barst door de rand, doorsnede 24 cm',
    finds: ['borden', 'doorsneden'],
    misses: ['snede'],
  },
  { text: 'Houtsnede', finds: ['snede', 'houtsneden', 'hout snede'] },
  { text: 'Beker van hout, op voet, voor thee', finds: ['bekers', 'voeten'], misses: ['houtsnede'] },
  { text: 'Voorstelling van een eiland', finds: ['voorstellingen', 'eilanden'], misses: ['stelling', 'land'] },
  { text: 'Land met een ei', finds: ['landen', 'ei landen'], misses: ['eiland'] },
  { text: 'Scheepsmodel', finds: ['model', 'modellen', 'scheepsmodellen'] },
]
