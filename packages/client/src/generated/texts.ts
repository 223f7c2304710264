// Generated from src/values/item-texts.ts and src/values/locales.ts by npm run generate.

/** The names of an item's texts in one locale. More may come. */
export const textNames = ['title', 'description', 'condition', 'dimensions', 'weight'] as const

/** The name of a text. */
export type TextName = (typeof textNames)[number]

/** The locales of translations. */
export const locales = ['nl', 'en', 'fr', 'de', 'es', 'zh', 'it', 'pl', 'hu'] as const
