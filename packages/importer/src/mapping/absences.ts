// Whole cells that say "none", in the languages of the locales.
const none = new RegExp(
  `^(?:[-–—_.?/]+|\\\\N|n\\.?v\\.?t\\.?|n[./]?a\\.?|n\\.?b\\.?|geen|none|nil|null|kein(?:e|er|es)?|keine angabe|k\\.? ?a\\.?|entfällt|ohne|aucune?|` +
    `néant|sans|s[./]o\\.?|nessun[oa]?|n\\.? ?d\\.?|ningun[oa]?|ningún|sin|brak|nie dotyczy|nincs|无|無|没有|沒有|暂无|暫無)$`,
  'i',
)
const noPicture = new RegExp(
  `^(?:geen|no|without|zonder|kein|keine|ohne|pas de|sans|aucune?|sin|ningun[oa]?|senza|nessun[oa]?|brak|bez|nincs|无|無)\\s?` +
    `(?:foto(?:'s|s|grafie|grafía)?|photos?|pictures?|images?|imágenes|imagen|immagine|afbeelding(?:en)?|bild(?:er)?|abb\\.?|zdję(?:cia|ć)|fotó|kép|图|圖|图片|圖片|照片)$`,
  'iu',
)
const unknown = new RegExp(
  `^(?:onbekende?|anoniem|unknown|anonymous|anon\\.?|unidentified|unbekannte?r?|anonym|inconnue?|anonyme|desconocid[oa]|anónim[oa]|` +
    `sconosciut[oa]|ignot[oa]|anonim[oa]?|nieznan[yea]|nn|n\\.n\\.|ismeretlen|佚名|不详|不詳|无名氏|無名氏)$`,
  'iu',
)

/** Whether a whole cell says that there is nothing: `-`, `n.v.t.`, `keine`, `sans`, `无`. */
export const isNone = (text: string): boolean => none.test(text.trim())

/** Whether a whole cell says that there is no such record. Sellers may be called `NB` or `KA`: only `n.b.` says none. */
export const isNoRecord = (text: string): boolean => isNone(text) && !/^[a-z] ?[a-z]$/i.test(text.trim())

/** Whether a whole cell says that there is no picture: `geen foto`. */
export const isNoPicture = (text: string): boolean => isNone(text) || noPicture.test(text.trim())

/** Whether a whole cell says that a maker is not known: `unbekannt`, `[Anonyme]`. Some houses have such a maker. */
export const isUnknownMaker = (text: string): boolean => unknown.test(text.trim().replaceAll(/^[[(]|[\])]$/g, ''))
