// Generated from load-format.schema.json by npm run generate.

/** The fields of each type of record of the load format. */
export type Records = {
  house: {
    type: 'house'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    slug: string
    name?: string | undefined
    default_locale?: string | undefined
    currency?: string | undefined
    time_zone?: string | null | undefined
    storage_limit?: number | null | undefined
    defaults?:
      | {
          buyer_premium_percentage?: string | null | undefined
          extension_threshold_seconds?: number | null | undefined
          extension_seconds?: number | null | undefined
          group_size?: number | null | undefined
          interval_seconds?: number | null | undefined
          results?: 'automatic' | 'by-staff' | null | undefined
        }
      | null
      | undefined
  }
  seller: {
    type: 'seller'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    seller_number?: number | null | undefined
    profile_name?: string | null | undefined
    account_name?: string | null | undefined
    archived?: boolean | undefined
  }
  category: {
    type: 'category'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    slug?: string | null | undefined
    names?:
      | { [Name in 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu']?: string | undefined }
      | null
      | undefined
    parent?: string | null | undefined
  }
  maker: {
    type: 'maker'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    name?: string | null | undefined
    active?: boolean | undefined
  }
  delivery_class: {
    type: 'delivery_class'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    name?: string | null | undefined
    instructions?: string | null | undefined
  }
  increment_strategy: {
    type: 'increment_strategy'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    name?: string | null | undefined
    steps?:
      | {
          from: {
            /** minor units (cents) */
            amount: number
            /** the ISO 4217 code of the house */
            currency: string
          }
          increment: {
            /** minor units (cents) */
            amount: number
            /** the ISO 4217 code of the house */
            currency: string
          }
        }[]
      | null
      | undefined
  }
  consignment: {
    type: 'consignment'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    number?: string | null | undefined
    seller?: string | null | undefined
    locked?: boolean | undefined
    archived?: boolean | undefined
    commission_percentage?: string | null | undefined
    private_notes?: string | null | undefined
  }
  auction: {
    type: 'auction'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    external_reference?: string | null | undefined
    /** made from the title if left out */
    slug?: string | undefined
    title?: string | null | undefined
    description?: string | null | undefined
    published?: boolean | undefined
    archived?: boolean | undefined
  }
  session: {
    type: 'session'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    /** the ref of an earlier line, or the id of a stored record */
    auction: string
    external_reference?: string | null | undefined
    titles?:
      | { [Name in 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu']?: string | undefined }
      | null
      | undefined
    kind: 'timed' | 'live'
    opens_at?: string | null | undefined
    timed?:
      | {
          first_closes_at?: string | null | undefined
          group_size?: number | null | undefined
          interval_seconds?: number | null | undefined
          extension_threshold_seconds?: number | null | undefined
          extension_seconds?: number | null | undefined
        }
      | null
      | undefined
    live?:
      | {
          closes_at?: string | null | undefined
        }
      | null
      | undefined
    settings?:
      | {
          buyer_premium_percentage?: string | null | undefined
        }
      | null
      | undefined
    increment_strategy?: string | null | undefined
    published?: boolean | undefined
    hidden?: boolean | undefined
    finished?: boolean | undefined
    customer_bidding_enabled?: boolean | undefined
    results?: 'automatic' | 'by-staff' | null | undefined
    numbers_fixed?: boolean | undefined
  }
  item: {
    type: 'item'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    external_reference?: string | null | undefined
    title?: string | null | undefined
    description?: string | null | undefined
    condition?: string | null | undefined
    dimensions?: string | null | undefined
    weight?: string | null | undefined
    translations?:
      | {
          [Name in 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu']?:
            | { [Name in 'title' | 'description' | 'condition' | 'dimensions' | 'weight']?: string | null | undefined }
            | undefined
        }
      | {
          locale: 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu'
          title?: string | null | undefined
          description?: string | null | undefined
          condition?: string | null | undefined
          dimensions?: string | null | undefined
          weight?: string | null | undefined
        }[]
      | null
      | undefined
    estimate?:
      | {
          [Name in 'low' | 'high']?:
            | {
                /** minor units (cents) */
                amount: number
                /** the ISO 4217 code of the house */
                currency: string
              }
            | null
            | undefined
        }
      | null
      | undefined
    seller?: string | null | undefined
    categories?: string[] | null | undefined
    makers?: string[] | null | undefined
    delivery_class?: string | null | undefined
    consignment?: string | null | undefined
    archived?: boolean | undefined
  }
  image: {
    type: 'image'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    /** the ref of an earlier line, or the id of a stored record */
    item: string
    external_reference?: string | null | undefined
    file?: string | null | undefined
    public?: boolean | undefined
    featured?: boolean | undefined
    position?: number | null | undefined
    alt?: string | null | undefined
    alt_translations?:
      | { [Name in 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu']?: string | null | undefined }
      | null
      | undefined
    processing?: boolean | undefined
    processing_failure?:
      | {
          code?: 'derivative_processing_failed' | undefined
          at: string
        }
      | null
      | undefined
  }
  lot: {
    type: 'lot'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    /** the ref of an earlier line, or the id of a stored record */
    session: string
    /** the ref of an earlier line, or the id of a stored record */
    item: string
    lot_number?: number | null | undefined
    active?: boolean | null | undefined
    starting_bid?:
      | {
          /** minor units (cents) */
          amount: number
          /** the ISO 4217 code of the house */
          currency: string
        }
      | null
      | undefined
    current_bid?:
      | {
          /** minor units (cents) */
          amount: number
          /** the ISO 4217 code of the house */
          currency: string
        }
      | null
      | undefined
    sold?: boolean | undefined
    result?:
      | {
          state: 'sold' | 'unsold' | 'withdrawn'
          amount?:
            | {
                /** minor units (cents) */
                amount: number
                /** the ISO 4217 code of the house */
                currency: string
              }
            | null
            | undefined
          at?: string | null | undefined
          after_sale?: boolean | undefined
          with?: string | null | undefined
        }
      | null
      | undefined
    held?: boolean | undefined
    notice?: string | null | undefined
    notice_translations?:
      | { [Name in 'nl' | 'en' | 'fr' | 'de' | 'es' | 'zh' | 'it' | 'pl' | 'hu']?: string | undefined }
      | null
      | undefined
    closes_at?: string | null | undefined
    scheduled_closes_at?: string | null | undefined
    archived?: boolean | undefined
  }
  bid: {
    type: 'bid'
    /** a name in this file, by which later lines point to the record */
    ref?: string | undefined
    id?: string | null | undefined
    created_at?: string | null | undefined
    updated_at?: string | null | undefined
    /** the ref of an earlier line, or the id of a stored record */
    lot: string
    amount: {
      /** minor units (cents) */
      amount: number
      /** the ISO 4217 code of the house */
      currency: string
    }
    placed_at?: string | null | undefined
    cancelled_at?: string | null | undefined
    cancel_reason?: string | null | undefined
  }
}
