import type { StaffTexts } from '../../texts/en.ts'

export const cataloguing: StaffTexts['cataloguing'] = {
  catalogueItem: 'Stuk beschrijven',
  editItem: 'Het stuk',
  toItem: 'Het stuk zoals klanten het zien',
  keysHelp: 'Control+Enter slaat op en begint het volgende; Alt+P kiest foto’s.',
  more: 'Makers en levering',
  saveAndNext: 'Opslaan en volgende',
  needsReference: 'Het stuk heeft een referentie nodig.',
  takenMeanwhile: (taken, next) =>
    `Een ander stuk heeft intussen de referentie ${taken}. Er is niets opgeslagen: ${next} wordt voorgesteld. Sla opnieuw op.`,
  kept: (time) => `Nog niet opgeslagen. Dit apparaat bewaart wat getypt is (${time}).`,
  keptOffline:
    'Geen verbinding. Wat getypt is blijft op dit apparaat bewaard en wordt opgeslagen zodra er weer verbinding is. Laat deze pagina open.',
  justMade: 'Zojuist gemaakt',
  sellerOfConsignment: 'Inbrenger van de inbreng',
  isLocked: 'Deze inbreng is gesloten: er komen geen stukken meer bij.',
  keyLacks: (permission) => `Uw sleutel mist het recht ${permission}.`,
  makeNamed: (name) => `“${name}” maken`,
  enterMakes: 'Enter maakt het.',
  notChosen: (text) => `“${text}” is nog niet gekozen: kies er een uit de lijst, of maak het.`,
  remove: (name) => `${name} weghalen`,
  picturesWait: (n) =>
    n === 1
      ? '1 foto wordt verstuurd zodra het stuk is opgeslagen.'
      : `${n} foto’s worden verstuurd zodra het stuk is opgeslagen.`,
}
