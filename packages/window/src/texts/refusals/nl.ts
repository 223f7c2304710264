import type { Refusals } from './words.ts'

const number = (value: number) => value.toLocaleString('nl')

export const refusals: Refusals = {
  reasons: {
    finished: 'De zitting is afgesloten.',
    published: 'De zitting is gepubliceerd.',
    hidden: 'De zitting is verborgen, maar staat als gepubliceerd aangemerkt.',
    has_lots: 'De zitting heeft kavels.',
    opened: 'De zitting is geopend.',
    opens_soon: 'De zitting opent over minder dan vijf minuten of is geopend.',
    has_bids: 'Op een kavel is of was geboden.',
    no_schedule: 'De zitting heeft geen geldig tijdschema.',
    not_published: 'De zitting is niet gepubliceerd.',
    not_open: 'De zitting is niet geopend.',
    bidding_disabled: 'Bieden is niet toegestaan.',
    inactive: 'De kavel staat uit.',
    closed: 'De kavel is gesloten.',
    not_closed: (n) =>
      n === undefined
        ? 'De kavel is niet gesloten.'
        : n === 1
          ? '1 kavel is niet gesloten.'
          : `${number(n)} kavels zijn niet gesloten.`,
    has_result: 'De kavel heeft een uitslag.',
    withdrawn: 'De kavel is teruggetrokken.',
    number_taken: 'Een andere kavel heeft het nummer.',
    numbers_fixed: 'De nummers liggen vast.',
    in_use: 'Het is in gebruik.',
    without_result: (n) =>
      n === undefined
        ? 'De kavel heeft geen uitslag.'
        : n === 1
          ? '1 kavel heeft geen uitslag.'
          : `${number(n)} kavels hebben geen uitslag.`,
  },

  problems: {
    'auction-published': 'De veiling is gepubliceerd: alleen een concept kan worden gewijzigd.',
    'duplicate-reference': 'Er is er al een met deze referentie of bestandsnaam.',
    'idempotency-key-in-use': 'Hetzelfde verzoek loopt nog: probeer het zo weer.',
    'idempotency-key-reused': 'De dienst houdt dit voor een ander verzoek: probeer het opnieuw.',
    'image-processing': 'De foto is al in bewerking.',
    'integrity-unavailable': 'De dienst kan deze gegevens niet betrouwbaar tonen.',
    'internal-error': 'De dienst heeft een storing.',
    'invalid-cursor': 'De dienst kent deze lijst niet meer: laad haar opnieuw.',
    'invalid-parameter': 'De dienst aanvaardt niet wat de lijst wordt gevraagd.',
    'lot-not-changeable': 'De kavel kan niet meer worden aan- of uitgezet.',
    'malformed-json': 'De dienst kan het verzoek niet lezen.',
    'missing-permission': 'Deze sleutel mag dat niet.',
    'network-failure': 'De dienst antwoordt niet.',
    'not-found': 'Het is er niet meer.',
    'payload-too-large':
      'De foto is te groot (hoogstens 50 MiB en 100 megapixel), of het huis heeft er geen ruimte meer voor.',
    'precondition-failed': 'Het is gewijzigd sinds u het opende.',
    'precondition-required': 'Deze sleutel wijzigt alleen wat hij net heeft gelezen: laad opnieuw en probeer het dan.',
    'processing-failed': 'De foto kon niet worden bewerkt.',
    'rate-limit-exceeded': 'Te veel verzoeken: de dienst vraagt te wachten.',
    'session-not-editable': 'De zitting kan niet meer worden gewijzigd.',
    'temporarily-unavailable': 'De dienst heeft het druk: probeer het zo weer.',
    'unreadable-answer': 'Het antwoord van de dienst is niet te lezen.',
    'unsupported-media-type': 'Dit is geen foto die de dienst aanneemt: JPEG, PNG, WebP, AVIF, TIFF of GIF.',
    'validation-failed': 'De dienst aanvaardt het niet.',
    aborted: 'Het is gestopt.',
    conflict: 'De huidige toestand staat dit niet toe.',
    locked: 'Een andere gebruiker of een programma wijzigt het op dit moment.',
    unauthorized: 'De dienst aanvaardt deze sleutel niet.',
  },

  fieldErrors: {
    required: 'Er ontbreekt een waarde.',
    unknown_field: 'De dienst kent dit veld niet.',
    wrong_type: 'De waarde heeft de verkeerde vorm.',
    blank: 'Een tekst die er moet zijn, is leeg.',
    too_short: 'De waarde is te kort.',
    too_long: 'De waarde is te lang.',
    invalid: 'De dienst aanvaardt deze waarde niet.',
    out_of_range: 'De waarde is te laag of te hoog.',
    unsupported_locale: 'De dienst kent deze taal niet.',
    currency_mismatch: 'Het bedrag is niet in de valuta van het huis.',
    low_exceeds_high: 'De laagste richtprijs ligt boven de hoogste.',
    title_mismatch: 'De titel verschilt van die in de taal van het huis.',
    unavailable: 'Dat bestaat niet, of is gearchiveerd of ergens anders.',
    duplicate: 'Dezelfde waarde staat er twee keer.',
    not_clearable: 'Een tekst die er moet zijn, is leeg.',
    seller_mismatch: 'De inbrenger is niet die van de inbreng.',
    locked: 'De inbreng neemt geen stukken meer op.',
  },

  fields: {
    'lots.invalid': 'Hier ontbreekt een kavel van de zitting: laad opnieuw en nummer de kavels dan weer.',
    'lot.invalid': 'Een kavel zonder nummer kan niet worden aangezet.',
    'lot.unavailable': 'De kavel is niet meer in deze zitting.',
    'item.unavailable': 'Het stuk bestaat niet meer of is gearchiveerd.',
    'title.too_long': 'Een titel heeft ten hoogste 255 tekens, die van een stuk 1.000.',
    'file.invalid': 'Het bestand is niet als foto te lezen: het is misschien beschadigd.',
    'settings.buyer_premium_percentage.invalid': 'Het opgeld is een percentage van 0 tot 100, zoals 25 of 25,5.',
    'settings.buyer_premium_percentage.out_of_range': 'Het opgeld is een percentage van 0 tot 100, zoals 25 of 25,5.',
    'starting_bid.invalid': 'De inzet ligt ver van de richtprijs.',
    'live.closes_at.invalid': 'De sluiting moet na de opening komen.',
    'timed.first_closes_at.invalid': 'De eerste sluiting moet na de opening komen.',
  },
  atLeast: (price) => `Minstens ${price}.`,
}
