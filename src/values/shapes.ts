import { Type, type Static, type TSchema, type TSchemaOptions } from 'typebox'
import { kinds, type RecordKind } from '../kinds.ts'
import { locales, type Locale } from './locales.ts'
import { longestReason, pascalCase } from './text.ts'
import { int32 } from './bounds.ts'

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The schema, or null. */
export function Nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}

/** An id as in responses. */
export function Id(kind: RecordKind) {
  return Type.String({ $id: `${pascalCase(kind)}Id`, pattern: `^${kinds[kind].prefix}_${uuid}$` })
}

/** A timestamp as in responses: UTC with milliseconds. */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
})

/** When a record was created and last changed; null on legacy rows without these times. */
export const recordTimes = { created_at: Nullable(Timestamp), updated_at: Nullable(Timestamp) }

/** An amount in minor units (section 2.1). */
export const Money = Type.Object(
  { amount: Type.Integer(), currency: Type.String({ pattern: '^[A-Z]{3}$' }) },
  { $id: 'Money' },
)

/** A locale of texts (section 2.3). */
export const LocaleName = Type.Unsafe<Locale>({ $id: 'Locale', type: 'string', enum: [...locales] })

/** An object with the same fields for each locale. */
export function ByLocale<T extends TSchema>(schema: T, keywords: TSchemaOptions = {}) {
  return Type.Unsafe<Partial<Record<Locale, Static<T>>>>({
    type: 'object',
    propertyNames: LocaleName,
    additionalProperties: schema,
    ...keywords,
  })
}

/** A signed 32-bit integer. */
export const Int32 = Type.Integer({ ...int32, format: 'int32' })

/** An answer with one resource, named `LotResponse`. */
export function single(id: string) {
  return Type.Object({ data: Type.Ref(id) }, { $id: `${id}Response` })
}

/** A page of a collection, named `LotPage`. */
export function collection(id: string) {
  return Type.Object(
    { data: Type.Array(Type.Ref(id)), has_more: Type.Boolean(), next_cursor: Nullable(Type.String()) },
    { $id: `${id}Page` },
  )
}

/** The path parameter of one record. */
export const IdParameters = Type.Object({ id: Type.String({ description: 'The id, prefixed or the bare UUID.' }) })

/** An amount in a body, in minor units. Its rules check the currency. */
export const amountFrom = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Object({ amount: Type.Integer({ minimum, maximum }), currency: Type.String() }, { additionalProperties: false })

/** A switch that is not taken back, in a body. */
export const OnlyTrue = Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true }))

/** Why something is done, in a body. */
export const ReasonText = Type.String({ pattern: '\\S', 'x-max-bytes': longestReason })
