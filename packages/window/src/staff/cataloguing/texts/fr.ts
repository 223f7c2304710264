import type { StaffTexts } from '../../texts/en.ts'

export const cataloguing: StaffTexts['cataloguing'] = {
  catalogueItem: 'Cataloguer un objet',
  editItem: 'L’objet',
  toItem: 'L’objet tel que les clients le voient',
  keysHelp: 'Ctrl+Entrée enregistre et commence le suivant ; Alt+P choisit des photos.',
  more: 'Auteurs et livraison',
  saveAndNext: 'Enregistrer et suivant',
  needsReference: 'L’objet a besoin d’une référence.',
  takenMeanwhile: (taken, next) =>
    `Un autre objet a pris la référence ${taken}. Rien n’est enregistré : ${next} est proposée. Enregistrez de nouveau.`,
  kept: (time) => `Pas encore enregistré. Cet appareil conserve ce qui a été saisi (${time}).`,
  keptOffline:
    'Pas de connexion. La saisie est conservée sur cet appareil et sera enregistrée dès le retour de la connexion. Laissez cette page ouverte.',
  justMade: 'À l’instant',
  sellerOfConsignment: 'Vendeur du dépôt',
  isLocked: 'Ce dépôt est clos : il ne prend plus d’objets.',
  keyLacks: (permission) => `Il manque à votre clé le droit ${permission}.`,
  makeNamed: (name) => `Créer « ${name} »`,
  enterMakes: 'Entrée le crée.',
  notChosen: (text) => `« ${text} » n’est pas encore choisi : choisissez dans la liste, ou créez-le.`,
  remove: (name) => `Enlever ${name}`,
  picturesWait: (n) =>
    n === 1
      ? '1 photo sera envoyée dès que l’objet est enregistré.'
      : `${n} photos seront envoyées dès que l’objet est enregistré.`,
}
