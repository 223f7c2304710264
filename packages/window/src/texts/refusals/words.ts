import type { FailureCode, FieldErrorCode, ProblemCode, Reason } from '@auction-catalogue/client'

// The fields of which more can be said than the code of an error says. `lots`: the list as a whole.
type Special =
  | 'lots.invalid'
  | 'lot.invalid'
  | 'lot.unavailable'
  | 'item.unavailable'
  | 'title.too_long'
  | 'file.invalid'
  | 'settings.buyer_premium_percentage.invalid'
  | 'settings.buyer_premium_percentage.out_of_range'
  | 'starting_bid.invalid'
  | 'live.closes_at.invalid'
  | 'timed.first_closes_at.invalid'

/** What a reason says. `count`: how many records are the cause, where the service counts them. */
type Said = string | ((count: number | undefined) => string)

/**
 * What the service refuses, in words: each reason, problem and error of a field. The names are those of the OpenAPI
 * document, so one without words in a language is an error of types.
 */
export type Refusals = {
  reasons: Record<Reason, Said>
  problems: Record<ProblemCode | FailureCode, string>
  fieldErrors: Record<FieldErrorCode, string>
  fields: Record<Special, string>
  atLeast: (price: string) => string
}
