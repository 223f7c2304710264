import type { Refusals } from './words.ts'

const number = (value: number) => value.toLocaleString('de')

export const refusals: Refusals = {
  reasons: {
    finished: 'Die Sitzung ist beendet.',
    published: 'Die Sitzung ist veröffentlicht.',
    hidden: 'Die Sitzung ist verborgen, gilt aber als veröffentlicht.',
    has_lots: 'Die Sitzung hat Lose.',
    opened: 'Die Sitzung ist eröffnet.',
    opens_soon: 'Die Sitzung öffnet in weniger als fünf Minuten oder ist eröffnet.',
    has_bids: 'Auf ein Los ist oder war geboten.',
    no_schedule: 'Der Sitzung fehlt ein gültiger Zeitplan.',
    not_published: 'Die Sitzung ist nicht veröffentlicht.',
    not_open: 'Die Sitzung ist nicht eröffnet.',
    bidding_disabled: 'Das Bieten ist nicht freigegeben.',
    inactive: 'Das Los ist aus.',
    closed: 'Das Los ist geschlossen.',
    not_closed: (n) =>
      n === undefined
        ? 'Das Los ist nicht geschlossen.'
        : n === 1
          ? '1 Los ist nicht geschlossen.'
          : `${number(n)} Lose sind nicht geschlossen.`,
    has_result: 'Das Los hat ein Ergebnis.',
    withdrawn: 'Das Los ist zurückgezogen.',
    number_taken: 'Ein anderes Los hat die Nummer.',
    numbers_fixed: 'Die Nummern liegen fest.',
    in_use: 'Es wird noch verwendet.',
    without_result: (n) =>
      n === undefined
        ? 'Das Los hat kein Ergebnis.'
        : n === 1
          ? '1 Los hat kein Ergebnis.'
          : `${number(n)} Lose haben kein Ergebnis.`,
  },

  problems: {
    'auction-published': 'Die Auktion ist veröffentlicht: Nur ein Entwurf lässt sich ändern.',
    'duplicate-reference': 'Es gibt schon etwas mit dieser Referenz oder diesem Dateinamen.',
    'idempotency-key-in-use': 'Dieselbe Anfrage läuft noch: Versuchen Sie es gleich noch einmal.',
    'idempotency-key-reused': 'Der Dienst hält dies für eine andere Anfrage: Versuchen Sie es noch einmal.',
    'image-processing': 'Das Bild wird schon bearbeitet.',
    'integrity-unavailable': 'Der Dienst kann diesen Datensatz nicht verlässlich zeigen.',
    'internal-error': 'Der Dienst hat eine Störung.',
    'invalid-cursor': 'Der Dienst kennt diese Liste nicht mehr: Laden Sie sie neu.',
    'invalid-parameter': 'Der Dienst nimmt nicht an, was von der Liste verlangt wird.',
    'lot-not-changeable': 'Das Los kann nicht mehr ein- oder ausgeschaltet werden.',
    'malformed-json': 'Der Dienst kann die Anfrage nicht lesen.',
    'missing-permission': 'Dieser Schlüssel darf das nicht.',
    'network-failure': 'Der Dienst antwortet nicht.',
    'not-found': 'Es ist nicht mehr da.',
    'payload-too-large':
      'Das Bild ist zu groß (höchstens 50 MiB und 100 Megapixel), oder das Haus hat keinen Platz mehr dafür.',
    'precondition-failed': 'Es hat sich geändert, seit Sie es geöffnet haben.',
    'precondition-required':
      'Dieser Schlüssel ändert nur, was er gerade gelesen hat: Laden Sie neu und versuchen Sie es dann.',
    'processing-failed': 'Das Bild ließ sich nicht bearbeiten.',
    'rate-limit-exceeded': 'Zu viele Anfragen: Der Dienst bittet zu warten.',
    'session-not-editable': 'Die Sitzung lässt sich nicht mehr ändern.',
    'temporarily-unavailable': 'Der Dienst ist ausgelastet: Versuchen Sie es gleich noch einmal.',
    'unreadable-answer': 'Die Antwort des Dienstes ist nicht lesbar.',
    'unsupported-media-type': 'Das ist kein Bild, das der Dienst annimmt: JPEG, PNG, WebP, AVIF, TIFF oder GIF.',
    'validation-failed': 'Der Dienst nimmt es nicht an.',
    aborted: 'Es wurde abgebrochen.',
    conflict: 'Der jetzige Zustand lässt das nicht zu.',
    locked: 'Ein anderer Benutzer oder ein Programm ändert es in diesem Augenblick.',
    unauthorized: 'Der Dienst nimmt diesen Schlüssel nicht an.',
  },

  fieldErrors: {
    required: 'Ein Wert fehlt.',
    unknown_field: 'Der Dienst kennt dieses Feld nicht.',
    wrong_type: 'Der Wert hat die falsche Form.',
    blank: 'Ein Text, der da sein muss, ist leer.',
    too_short: 'Der Wert ist zu kurz.',
    too_long: 'Der Wert ist zu lang.',
    invalid: 'Der Dienst nimmt diesen Wert nicht an.',
    out_of_range: 'Der Wert ist zu niedrig oder zu hoch.',
    unsupported_locale: 'Der Dienst kennt diese Sprache nicht.',
    currency_mismatch: 'Der Betrag ist nicht in der Währung des Hauses.',
    low_exceeds_high: 'Der untere Schätzpreis liegt über dem oberen.',
    title_mismatch: 'Der Titel weicht von dem in der Sprache des Hauses ab.',
    unavailable: 'Das gibt es nicht, oder es ist archiviert oder anderswo.',
    duplicate: 'Derselbe Wert steht zweimal da.',
    not_clearable: 'Ein Text, der da sein muss, ist leer.',
    seller_mismatch: 'Der Einlieferer ist nicht der der Einlieferung.',
    locked: 'Die Einlieferung nimmt keine Objekte mehr auf.',
  },

  fields: {
    'lots.invalid': 'Hier fehlt ein Los der Sitzung: Laden Sie neu und nummerieren Sie die Lose dann noch einmal.',
    'lot.invalid': 'Ein Los ohne Nummer kann nicht eingeschaltet werden.',
    'lot.unavailable': 'Das Los ist nicht mehr in dieser Sitzung.',
    'item.unavailable': 'Das Objekt gibt es nicht mehr, oder es ist archiviert.',
    'title.too_long': 'Ein Titel hat höchstens 255 Zeichen, der eines Objekts 1.000.',
    'file.invalid': 'Die Datei ist nicht als Bild lesbar: Sie ist vielleicht beschädigt.',
    'settings.buyer_premium_percentage.invalid': 'Das Aufgeld ist ein Prozentsatz von 0 bis 100, etwa 25 oder 25,5.',
    'settings.buyer_premium_percentage.out_of_range':
      'Das Aufgeld ist ein Prozentsatz von 0 bis 100, etwa 25 oder 25,5.',
    'starting_bid.invalid': 'Das Startgebot liegt weit vom Schätzpreis entfernt.',
    'live.closes_at.invalid': 'Der Schluss muss nach der Eröffnung kommen.',
    'timed.first_closes_at.invalid': 'Der erste Schluss muss nach der Eröffnung kommen.',
  },
  atLeast: (price) => `Mindestens ${price}.`,
}
