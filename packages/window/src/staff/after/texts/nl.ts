import type { StaffTexts } from '../../texts/en.ts'

export const after: StaffTexts['after'] = {
  sale: 'Veiling',
  offerAgain: 'Opnieuw aanbieden',
  offeredAgain: 'Opnieuw aangeboden',
  selectUnsold: (n) => `Alle ${n} onverkochte selecteren`,
  selectAllUnsold: 'Alle onverkochte selecteren',
  selectWaiting: (n) => `De ${n} selecteren die niet opnieuw zijn aangeboden`,
  sheetsOf: 'Kies een inbrenger, een inbreng of een veiling voor uitslaglijsten.',
  sheets: 'Uitslaglijsten voor inbrengers',
  toLots: 'Terug naar de uitslagen',
  noSeller: 'Zonder inbrenger',
  nobodysPrice: 'Toegeslagen samen met kavels van een andere inbrenger: de prijs wordt hier niet verdeeld.',
  soldTogether: (lots) => `Samen met ${lots}`,
  total: 'Totaal van de prijzen, zonder opgeld',
  readingSheets: 'De uitslagen worden gelezen…',
}
