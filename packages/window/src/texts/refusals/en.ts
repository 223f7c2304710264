import type { Refusals } from './words.ts'

const number = (value: number) => value.toLocaleString('en')

/** What the service refuses, in English. */
export const refusals: Refusals = {
  reasons: {
    finished: 'The session is finished.',
    published: 'The session is published.',
    hidden: 'The session is hidden, but marked as published.',
    has_lots: 'The session has lots.',
    opened: 'The session has opened.',
    opens_soon: 'The session opens in less than five minutes, or has opened.',
    has_bids: 'A lot has, or has had, a bid.',
    no_schedule: 'The session lacks a valid schedule.',
    not_published: 'The session is not published.',
    not_open: 'The session has not opened.',
    bidding_disabled: 'Bidding is disabled.',
    inactive: 'The lot is off.',
    closed: 'The lot has closed.',
    not_closed: (n) =>
      n === undefined
        ? 'The lot has not closed.'
        : n === 1
          ? '1 lot has not closed.'
          : `${number(n)} lots have not closed.`,
    has_result: 'The lot has a result.',
    withdrawn: 'The lot is withdrawn.',
    number_taken: 'Another lot has the number.',
    numbers_fixed: 'The numbers are fixed.',
    in_use: 'It is in use.',
    without_result: (n) =>
      n === undefined
        ? 'The lot has no result.'
        : n === 1
          ? '1 lot has no result.'
          : `${number(n)} lots have no result.`,
  },

  problems: {
    'auction-published': 'The sale is published: only a draft can be changed.',
    'duplicate-reference': 'There is one with this reference or file name already.',
    'idempotency-key-in-use': 'The same request is still under way: try again in a moment.',
    'idempotency-key-reused': 'The service takes this for another request: try again.',
    'image-processing': 'The picture is being processed already.',
    'integrity-unavailable': 'The service cannot show this record truthfully.',
    'internal-error': 'The service has a fault.',
    'invalid-cursor': 'The service does not know this list any more: reload it.',
    'invalid-parameter': 'The service does not take what the list is asked for.',
    'lot-not-changeable': 'The lot cannot be switched on or off any more.',
    'malformed-json': 'The service cannot read the request.',
    'missing-permission': 'This key may not do that.',
    'network-failure': 'The service does not answer.',
    'not-found': 'It is not there any more.',
    'payload-too-large':
      'The picture is too large (at most 50 MiB and 100 megapixels), or the house has no space left for it.',
    'precondition-failed': 'It has changed since you opened it.',
    'precondition-required': 'This key only changes what it has read just before: reload, then try again.',
    'processing-failed': 'The picture could not be processed.',
    'rate-limit-exceeded': 'Too many requests: the service asks to wait.',
    'session-not-editable': 'The session cannot be changed any more.',
    'temporarily-unavailable': 'The service is busy: try again in a moment.',
    'unreadable-answer': 'The answer of the service cannot be read.',
    'unsupported-media-type': 'This is no picture that the service takes: JPEG, PNG, WebP, AVIF, TIFF or GIF.',
    'validation-failed': 'The service does not accept it.',
    aborted: 'It was stopped.',
    conflict: 'Its present state does not allow this.',
    locked: 'Another user or program is changing it at this moment.',
    unauthorized: 'The service does not accept this key.',
  },

  fieldErrors: {
    required: 'A value is missing.',
    unknown_field: 'The service does not know this field.',
    wrong_type: 'The value has the wrong form.',
    blank: 'A text that must be there is empty.',
    too_short: 'The value is too short.',
    too_long: 'The value is too long.',
    invalid: 'The service does not take this value.',
    out_of_range: 'The value is too low or too high.',
    unsupported_locale: 'The service does not know this language.',
    currency_mismatch: 'The amount is not in the currency of the house.',
    low_exceeds_high: 'The lower estimate is above the upper one.',
    title_mismatch: 'The title differs from the one in the language of the house.',
    unavailable: 'The record does not exist, or is archived or in another place.',
    duplicate: 'The same value is there twice.',
    not_clearable: 'A text that must be there is empty.',
    seller_mismatch: 'The seller is not that of the consignment.',
    locked: 'The consignment takes no more items.',
  },

  fields: {
    'lots.invalid': 'A lot of the session is missing here: reload, then number the lots again.',
    'lot.invalid': 'A lot without a number cannot be switched on.',
    'lot.unavailable': 'The lot is not in this session any more.',
    'item.unavailable': 'The item does not exist any more, or is archived.',
    'title.too_long': 'A title has at most 255 characters, that of an item 1,000.',
    'file.invalid': 'The file cannot be read as a picture: it may be damaged.',
    'settings.buyer_premium_percentage.invalid': 'The premium is a percentage from 0 to 100, such as 25 or 25.5.',
    'settings.buyer_premium_percentage.out_of_range': 'The premium is a percentage from 0 to 100, such as 25 or 25.5.',
    'starting_bid.invalid': 'The starting bid is far from the estimate.',
    'live.closes_at.invalid': 'The close must come after the opening.',
    'timed.first_closes_at.invalid': 'The first close must come after the opening.',
  },
  atLeast: (price) => `At least ${price}.`,
}
