import type { StaffTexts } from '../../texts/en.ts'

export const after: StaffTexts['after'] = {
  sale: 'Auktion',
  offerAgain: 'Erneut anbieten',
  offeredAgain: 'Erneut angeboten',
  selectUnsold: (n) => `Alle ${n} unverkauften auswählen`,
  selectAllUnsold: 'Alle unverkauften auswählen',
  selectWaiting: (n) => `Die ${n} nicht erneut angebotenen auswählen`,
  sheetsOf: 'Für Ergebnislisten wählen Sie einen Einlieferer, eine Einlieferung oder eine Auktion.',
  sheets: 'Ergebnislisten für Einlieferer',
  toLots: 'Zurück zu den Ergebnissen',
  noSeller: 'Ohne Einlieferer',
  nobodysPrice: 'Zusammen mit Losen eines anderen Einlieferers zugeschlagen: Der Preis wird hier nicht geteilt.',
  soldTogether: (lots) => `Zusammen mit ${lots}`,
  total: 'Summe der Preise, ohne Aufgeld',
  readingSheets: 'Die Ergebnisse werden gelesen…',
}
