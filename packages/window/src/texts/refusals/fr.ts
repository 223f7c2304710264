import type { Refusals } from './words.ts'

const number = (value: number) => value.toLocaleString('fr')

export const refusals: Refusals = {
  reasons: {
    finished: 'La vacation est terminée.',
    published: 'La vacation est publiée.',
    hidden: 'La vacation est masquée, mais marquée comme publiée.',
    has_lots: 'La vacation a des lots.',
    opened: 'La vacation est ouverte.',
    opens_soon: 'La vacation ouvre dans moins de cinq minutes, ou est ouverte.',
    has_bids: 'Un lot a, ou a eu, une enchère.',
    no_schedule: 'La vacation n’a pas d’horaire valable.',
    not_published: 'La vacation n’est pas publiée.',
    not_open: 'La vacation n’est pas ouverte.',
    bidding_disabled: 'Les enchères sont désactivées.',
    inactive: 'Le lot est désactivé.',
    closed: 'Le lot est clos.',
    not_closed: (n) =>
      n === undefined
        ? 'Le lot n’est pas clos.'
        : n === 1
          ? '1 lot n’est pas clos.'
          : `${number(n)} lots ne sont pas clos.`,
    has_result: 'Le lot a un résultat.',
    withdrawn: 'Le lot est retiré.',
    number_taken: 'Un autre lot a ce numéro.',
    numbers_fixed: 'Les numéros sont fixés.',
    in_use: 'Il est utilisé.',
    without_result: (n) =>
      n === undefined
        ? 'Le lot n’a pas de résultat.'
        : n === 1
          ? '1 lot n’a pas de résultat.'
          : `${number(n)} lots n’ont pas de résultat.`,
  },

  problems: {
    'auction-published': 'La vente est publiée : seul un brouillon peut être modifié.',
    'duplicate-reference': 'Il y en a déjà un avec cette référence ou ce nom de fichier.',
    'idempotency-key-in-use': 'La même requête est encore en cours : réessayez dans un instant.',
    'idempotency-key-reused': 'Le service y voit une autre requête : réessayez.',
    'image-processing': 'La photo est déjà en traitement.',
    'integrity-unavailable': 'Le service ne peut pas montrer cette fiche fidèlement.',
    'internal-error': 'Le service est en panne.',
    'invalid-cursor': 'Le service ne connaît plus cette liste : rechargez-la.',
    'invalid-parameter': 'Le service n’accepte pas ce qui est demandé à la liste.',
    'lot-not-changeable': 'Le lot ne peut plus être activé ni désactivé.',
    'malformed-json': 'Le service ne peut pas lire la requête.',
    'missing-permission': 'Cette clé ne le permet pas.',
    'network-failure': 'Le service ne répond pas.',
    'not-found': 'Cela n’existe plus.',
    'payload-too-large':
      'La photo est trop grande (au plus 50 Mio et 100 mégapixels), ou la maison n’a plus de place pour elle.',
    'precondition-failed': 'Cela a changé depuis que vous l’avez ouvert.',
    'precondition-required': 'Cette clé ne modifie que ce qu’elle vient de lire : rechargez, puis réessayez.',
    'processing-failed': 'La photo n’a pas pu être traitée.',
    'rate-limit-exceeded': 'Trop de requêtes : le service demande d’attendre.',
    'session-not-editable': 'La vacation ne peut plus être modifiée.',
    'temporarily-unavailable': 'Le service est occupé : réessayez dans un instant.',
    'unreadable-answer': 'La réponse du service est illisible.',
    'unsupported-media-type': 'Ce n’est pas une image que le service accepte : JPEG, PNG, WebP, AVIF, TIFF ou GIF.',
    'validation-failed': 'Le service ne l’accepte pas.',
    aborted: 'Cela a été interrompu.',
    conflict: 'L’état actuel ne le permet pas.',
    locked: 'Un autre utilisateur ou un programme le modifie en ce moment.',
    unauthorized: 'Le service n’accepte pas cette clé.',
  },

  fieldErrors: {
    required: 'Il manque une valeur.',
    unknown_field: 'Le service ne connaît pas ce champ.',
    wrong_type: 'La valeur n’a pas la bonne forme.',
    blank: 'Un texte obligatoire est vide.',
    too_short: 'La valeur est trop courte.',
    too_long: 'La valeur est trop longue.',
    invalid: 'Le service n’accepte pas cette valeur.',
    out_of_range: 'La valeur est trop basse ou trop haute.',
    unsupported_locale: 'Le service ne connaît pas cette langue.',
    currency_mismatch: 'Le montant n’est pas dans la monnaie de la maison.',
    low_exceeds_high: 'L’estimation basse dépasse la haute.',
    title_mismatch: 'Le titre diffère de celui dans la langue de la maison.',
    unavailable: 'Cela n’existe pas, ou est archivé ou ailleurs.',
    duplicate: 'La même valeur s’y trouve deux fois.',
    not_clearable: 'Un texte obligatoire est vide.',
    seller_mismatch: 'Le vendeur n’est pas celui du dépôt.',
    locked: 'Le dépôt n’accepte plus d’objets.',
  },

  fields: {
    'lots.invalid': 'Un lot de la vacation manque ici : rechargez, puis numérotez de nouveau les lots.',
    'lot.invalid': 'Un lot sans numéro ne peut pas être activé.',
    'lot.unavailable': 'Le lot n’est plus dans cette vacation.',
    'item.unavailable': 'L’objet n’existe plus, ou est archivé.',
    'title.too_long': 'Un titre a au plus 255 caractères, celui d’un objet 1 000.',
    'file.invalid': 'Le fichier n’est pas lisible comme photo : il est peut-être endommagé.',
    'settings.buyer_premium_percentage.invalid': 'Les frais sont un pourcentage de 0 à 100, par exemple 25 ou 25,5.',
    'settings.buyer_premium_percentage.out_of_range':
      'Les frais sont un pourcentage de 0 à 100, par exemple 25 ou 25,5.',
    'starting_bid.invalid': 'La mise à prix est loin de l’estimation.',
    'live.closes_at.invalid': 'La clôture doit suivre l’ouverture.',
    'timed.first_closes_at.invalid': 'La première clôture doit suivre l’ouverture.',
  },
  atLeast: (price) => `Au moins ${price}.`,
}
