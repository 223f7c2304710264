import type { StaffTexts } from '../../texts/en.ts'

export const after: StaffTexts['after'] = {
  sale: 'Vente',
  offerAgain: 'Remettre en vente',
  offeredAgain: 'Remis en vente',
  selectUnsold: (n) => `Sélectionner les ${n} invendus`,
  selectAllUnsold: 'Sélectionner tous les invendus',
  selectWaiting: (n) => `Sélectionner les ${n} non remis en vente`,
  sheetsOf: 'Pour les relevés, choisissez un vendeur, un dépôt ou une vente.',
  sheets: 'Relevés des vendeurs',
  toLots: 'Retour aux résultats',
  noSeller: 'Sans vendeur',
  nobodysPrice: 'Adjugé avec des lots d’un autre vendeur : le prix n’est pas réparti ici.',
  soldTogether: (lots) => `Avec ${lots}`,
  total: 'Total des prix, sans frais acheteur',
  readingSheets: 'Lecture des résultats…',
}
