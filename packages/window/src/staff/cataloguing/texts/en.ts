/** The texts of the desk of the cataloguer in English. The other languages have the same keys. */
export const cataloguing = {
  catalogueItem: 'Catalogue an item',
  editItem: 'The item',
  toItem: 'The item as clients see it',
  keysHelp: 'Control+Enter saves and begins the next; Alt+P chooses pictures.',
  more: 'Makers and delivery',
  saveAndNext: 'Save and next',
  needsReference: 'The item needs a reference.',
  takenMeanwhile: (taken: string, next: string) =>
    `Another item has the reference ${taken} by now. Nothing is saved: ${next} is proposed. Save again.`,
  kept: (time: string) => `Not saved yet. This device keeps what was typed (${time}).`,
  keptOffline:
    'No connection. What was typed is kept on this device, and is saved once the connection is back. Leave this page open.',
  justMade: 'Just made',
  sellerOfConsignment: 'Seller of the consignment',
  isLocked: 'This consignment is locked: it takes no more items.',
  keyLacks: (permission: string) => `Your key lacks the permission ${permission}.`,
  makeNamed: (name: string) => `Make “${name}”`,
  enterMakes: 'Enter makes it.',
  notChosen: (text: string) => `“${text}” is not chosen yet: choose one of the list, or make it.`,
  remove: (name: string) => `Remove ${name}`,
  picturesWait: (n: number) => `${n === 1 ? '1 picture is' : `${n} pictures are`} sent once the item is saved.`,
}
