// For other writers of an item's images and lots.
export { lockItems, reviseItem, touchItem, touchItems } from './statements.ts'
