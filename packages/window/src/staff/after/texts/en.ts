/** The texts of the pages after the sale in English. The other languages have the same keys. */
export const after = {
  sale: 'Sale',
  offerAgain: 'Offer again',
  offeredAgain: 'Offered again',
  selectUnsold: (n: string) => `Select all ${n} unsold`,
  selectAllUnsold: 'Select all unsold',
  selectWaiting: (n: string) => `Select the ${n} not offered again`,
  sheetsOf: 'Choose a seller, a consignment or a sale for sheets.',
  sheets: 'Sheets for sellers',
  toLots: 'Back to the results',
  noSeller: 'Without a seller',
  nobodysPrice: 'Sold together with lots of another seller: the price is not divided here.',
  soldTogether: (lots: string) => `Together with ${lots}`,
  total: 'Total of the prices, without premium',
  readingSheets: 'The results are being read…',
}
