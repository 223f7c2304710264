import type { StaffTexts } from '../../texts/en.ts'

export const cataloguing: StaffTexts['cataloguing'] = {
  catalogueItem: 'Objekt katalogisieren',
  editItem: 'Das Objekt',
  toItem: 'Das Objekt, wie Kunden es sehen',
  keysHelp: 'Strg+Enter speichert und beginnt das nächste; Alt+P wählt Bilder.',
  more: 'Urheber und Lieferung',
  saveAndNext: 'Speichern und weiter',
  needsReference: 'Das Objekt braucht eine Referenz.',
  takenMeanwhile: (taken, next) =>
    `Ein anderes Objekt hat inzwischen die Referenz ${taken}. Nichts ist gespeichert: Vorgeschlagen wird ${next}. Speichern Sie noch einmal.`,
  kept: (time) => `Noch nicht gespeichert. Dieses Gerät bewahrt, was getippt wurde (${time}).`,
  keptOffline:
    'Keine Verbindung. Das Getippte bleibt auf diesem Gerät und wird gespeichert, sobald die Verbindung wieder da ist. Lassen Sie diese Seite offen.',
  justMade: 'Soeben angelegt',
  sellerOfConsignment: 'Einlieferer der Einlieferung',
  isLocked: 'Diese Einlieferung ist gesperrt: Sie nimmt keine Objekte mehr auf.',
  keyLacks: (permission) => `Ihrem Schlüssel fehlt das Recht ${permission}.`,
  makeNamed: (name) => `„${name}“ anlegen`,
  enterMakes: 'Enter legt es an.',
  notChosen: (text) => `„${text}“ ist noch nicht gewählt: Wählen Sie aus der Liste, oder legen Sie es an.`,
  remove: (name) => `${name} entfernen`,
  picturesWait: (n) =>
    n === 1
      ? '1 Bild wird gesendet, sobald das Objekt gespeichert ist.'
      : `${n} Bilder werden gesendet, sobald das Objekt gespeichert ist.`,
}
