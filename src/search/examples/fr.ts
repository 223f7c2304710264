import type { Example } from './example.ts'

/** What a search finds and does not find in French. */
export const fr: Example[] = [
  // The first half, written before the rules.
  { text: 'Deux chevaux au pré', finds: ['cheval', 'cheval prés', 'chevaux pre'], misses: ['cheveux', 'cheveu'] },
  { text: 'Boucle de cheveux', finds: ['cheveu', 'boucles'], misses: ['cheval', 'chevaux'] },
  { text: 'Tableaux anciens', finds: ['tableau', 'tableau ancien', 'anciennes'], misses: ['table ', 'tables'] },
  { text: 'Table en acajou', finds: ['tables', 'tables acajou'], misses: ['tableau', 'tableaux'] },
  { text: 'Vue de l’atelier', finds: ['atelier', "l'atelier", 'ateliers', 'vues atelier', 'l’ATELIER'] },
  { text: "Timbale d'argent doré", finds: ['argent', 'timbales dorées', 'd’argent', 'dorée', 'timbale dore'] },
  { text: 'Trompe-l’œil aux livres', finds: ["trompe l'oeil", 'trompe-l’oeil', 'livre trompe-l’œil', 'oeil'] },
  {
    text: 'Bas-relief en marbre blanc',
    finds: ['bas relief', 'basrelief', 'bas-reliefs', 'marbres blancs', 'blanche'],
  },
  { text: 'Chef-d’œuvre de compagnon', finds: ["chef d'oeuvre", "chefs-d'œuvre", 'œuvres', 'compagnons'] },
  { text: 'Pendule Art Déco', finds: ['artdeco', 'pendules art-déco', 'ART DECO', 'art deco pendule'] },
  { text: 'Portemanteau en hêtre', finds: ['porte-manteau', 'porte manteau', 'portemanteaux', 'hetre'] },
  { text: 'Bijoux en or', finds: ['bijou', 'bijou or'] },
  { text: 'Vase en cristal', finds: ['cristaux', 'vases', 'vases cristal'], misses: ['vaste'] },
  { text: 'Vaste plaine', finds: ['vastes', 'plaines vastes'], misses: ['vase', 'vases'] },
  {
    text: 'Poisson, nature morte',
    finds: ['poissons', 'natures mortes', 'nature-morte'],
    misses: ['poison', 'poisons'],
  },
  { text: 'Flacon de poison', finds: ['poisons', 'flacons'], misses: ['poisson', 'poissons'] },
  { text: 'Coussin brodé', finds: ['coussins', 'brodée', 'coussins brodés'], misses: ['cousin', 'cousins'] },
  { text: 'Lettre à un cousin', finds: ['cousins', 'lettres cousin', 'cousine'], misses: ['coussin', 'coussins'] },
  { text: 'Caravane dans le désert', finds: ['deserts', 'caravanes', 'DÉSERT'], misses: ['dessert', 'desserts'] },
  { text: 'Assiettes à dessert', finds: ['assiette', 'desserts'], misses: ['désert', 'deserts'] },
  { text: 'Portrait peint du général', finds: ['généraux', 'peinte', 'general', 'portraits peints'] },
  { text: 'Statuette égyptienne', finds: ['égyptien', 'statuettes égyptiennes', 'egyptiens'], misses: ['statut'] },
  { text: 'Statut d’une société', finds: ['statuts', 'sociétés', 'societe'], misses: ['statue', 'statues'] },
  { text: 'Statue équestre', finds: ['statues équestres', 'equestre'], misses: ['statut', 'statuts'] },
  { text: 'Femmes sculptées', finds: ['femme', 'sculpté', 'femme sculptée', 'sculptés'] },
  { text: 'Gravure signée et encadrée', finds: ['gravures signées', 'encadré', 'signé', 'signés encadrés'] },
  { text: 'Vieil homme assis', finds: ['hommes', 'homme assise', 'assises'] },
  { text: 'Été à Étretat', finds: ['ete etretat', 'étés', 'L’été', 'ETE'], misses: ['étang'] },
  { text: 'Garçon à l’étang', finds: ['garcons', 'etangs', 'garçons étang'], misses: ['étés'] },
  {
    text: 'Baigneuse',
    maker: 'Jean-Auguste-Dominique Ingres',
    finds: ["d'Ingres", 'd’Ingres baigneuses', 'jean auguste'],
  },
  { text: 'Danseuses', maker: 'Edgar Degas', finds: ['danseuse degas', 'degas danseur', 'danseuses degas'] },
  { text: 'Ciseaux en acier', finds: ['ciseau', 'aciers'], misses: ['oiseau', 'oiseaux'] },
  { text: 'Oiseau naturalisé', finds: ['oiseaux', 'naturalisés', 'naturalisée'], misses: ['ciseau', 'ciseaux'] },
  {
    text: 'Fauteuil Louis XV',
    finds: ['fauteuils', 'fautueil louis', 'fauteil louis'],
    corrected: { fautueil: ['fauteuil'], fauteil: ['fauteuil'] },
  },
  {
    text: 'Soupière de Limoges',
    finds: ['soupières', 'soupiere', 'lmioges soupière', 'soupières limoges'],
    corrected: { lmioges: ['limoges'] },
  },
  { text: 'Soupière de Sèvres', finds: ['sevres', 'soupières sevres'], misses: ['lmioges soupière'] },
  {
    text: 'Commode en marqueterie',
    finds: ['commodes', 'marqeuterie commode', 'comode marqueterie'],
    corrected: { marqeuterie: ['marqueterie'], comode: ['commode'] },
  },
  { text: 'Feuille d’acanthe', finds: ['feuilles', 'acanthes', "l'acanthe"], misses: ['feuillet', 'feuillets'] },
  { text: 'Feuillet manuscrit', finds: ['feuillets', 'manuscrits', 'manuscrite'], misses: ['feuilles'] },
  // The second half.
  // A rock, and a name.
  {
    text: 'Lettre signée',
    maker: 'Mazurier de la Roche',
    finds: ['lettres roche', 'roche mazurier'],
    misses: ['rocher', 'rochers'],
  },
  { text: 'Rocher battu par la mer', finds: ['rochers', 'mers rocher'] },
]
