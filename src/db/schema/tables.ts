// Generated from the migrated schema by npm run generate.
import type { Generated } from 'kysely'

/** The catalogue's tables: what their columns hold, and which of them an insert may leave out. */
export type Tables = {
  'catalogue.api_keys': {
    id: Generated<string>
    public_id: string
    house_id: string
    secret_hash: Buffer
    name: string | null
    permissions: string[]
    created_at: Date
    expires_at: Date | null
    revoked_at: Date | null
    rate_limit: number | null
    require_if_match: Generated<boolean>
  }
  'catalogue.auctions': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    external_reference: string | null
    title: string | null
    description: string | null
    slug: string
    published: Generated<boolean>
    archived: Generated<boolean>
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
  }
  'catalogue.bids': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    lot_id: string
    amount: string
    placed_at: Date | null
    created_at: Date | null
    updated_at: Date | null
    cancelled_at: Date | null
    cancel_reason: string | null
  }
  'catalogue.categories': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    slug: string | null
    names: Generated<unknown>
    parent_id: string | null
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
    archived: Generated<boolean>
  }
  'catalogue.change_marks': {
    house_id: string
    id: Generated<string>
    kind: number
    record_id: string
  }
  'catalogue.changes': {
    house_id: string
    record: string
    place: string
    version: string | null
    public_id: string | null
    item_id: string | null
  }
  'catalogue.consignments': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    number: string | null
    seller_id: string | null
    locked: Generated<boolean>
    archived: Generated<boolean>
    commission_percentage: string | null
    private_notes: string | null
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
  }
  'catalogue.delivery_classes': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    name: string | null
    instructions: string | null
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
    archived: Generated<boolean>
  }
  'catalogue.generation': {
    singleton: Generated<boolean>
    value: string
  }
  'catalogue.houses': {
    id: Generated<string>
    public_id: string | null
    slug: string
    name: string
    default_locale: string
    currency: string
    buyer_premium_percentage: string | null
    extension_threshold_seconds: number | null
    extension_seconds: number | null
    group_size: number | null
    interval_seconds: number | null
    created_at: Date | null
    updated_at: Date | null
    storage_limit: Generated<string>
    time_zone: string | null
    results: Generated<string>
  }
  'catalogue.idempotency_keys': {
    house_id: string
    key: string
    request: Buffer
    status: number
    body: string | null
    location: string | null
    created_at: Date
  }
  'catalogue.images': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    item_id: string
    external_reference: string | null
    public: Generated<boolean>
    featured: Generated<boolean>
    position: number | null
    processing: Generated<boolean>
    processing_failed_at: Date | null
    original: string | null
    original_type: string | null
    renditions: string | null
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
    original_bytes: string | null
    renditions_bytes: string | null
    width: number | null
    height: number | null
    placeholder: string | null
    sources_folder: string | null
    source_widths: number[] | null
    source_heights: number[] | null
    alts: Generated<unknown>
  }
  'catalogue.increment_steps': {
    house_id: string
    id: Generated<string>
    increment_strategy_id: string
    from_amount: string
    increment_amount: string
  }
  'catalogue.increment_strategies': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    name: string | null
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
  }
  'catalogue.item_categories': {
    house_id: string
    id: Generated<string>
    item_id: string
    category_id: string
  }
  'catalogue.item_documents': {
    house_id: string
    item_id: string
    revision: string
    format: string
    head: string
    image_ids: string
    images: string
    tail: string
  }
  'catalogue.item_makers': {
    house_id: string
    id: Generated<string>
    item_id: string
    maker_id: string
    position: number
  }
  'catalogue.item_translations': {
    house_id: string
    id: Generated<string>
    item_id: string
    locale: string
    title: string | null
    description: string | null
    condition: string | null
    dimensions: string | null
    weight: string | null
  }
  'catalogue.items': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    external_reference: string | null
    title: string | null
    description: string | null
    condition: string | null
    dimensions: string | null
    weight: string | null
    estimate_low: string | null
    estimate_high: string | null
    seller_id: string | null
    delivery_class_id: string | null
    consignment_id: string | null
    archived: Generated<boolean>
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
  }
  'catalogue.journal': {
    house_id: string
    at: Date
    id: string
    actor_type: string
    actor_id: string | null
    actor_name: string | null
    operation: string
    kind: string | null
    record: string | null
    kinds: string[]
    changes: string
    reason: string | null
    request_id: string | null
    kept: boolean
  }
  'catalogue.journal_records': {
    house_id: string
    record: string
    at: Date
    id: string
    kind: string | null
  }
  'catalogue.lots': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    auction_id: string
    session_id: string
    item_id: string
    lot_number: number | null
    active: boolean | null
    starting_bid: string | null
    current_bid: string | null
    sold: Generated<boolean>
    closes_at: Date | null
    scheduled_closes_at: Date | null
    archived: Generated<boolean>
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
    result_state: string | null
    result_amount: string | null
    result_at: Date | null
    result_after_sale: Generated<boolean>
    result_with: string | null
    held: Generated<boolean>
    notices: Generated<unknown>
  }
  'catalogue.makers': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    name: string | null
    active: Generated<boolean>
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
    archived: Generated<boolean>
  }
  'catalogue.rate_windows': {
    api_key: string
    ends_at: Date
    used: number
  }
  'catalogue.sellers': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    seller_number: number | null
    profile_name: string | null
    account_name: string | null
    archived: Generated<boolean>
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
  }
  'catalogue.sessions': {
    house_id: string
    id: Generated<string>
    public_id: string | null
    auction_id: string
    external_reference: string | null
    titles: Generated<unknown>
    kind: string
    opens_at: Date | null
    first_closes_at: Date | null
    group_size: number | null
    interval_seconds: number | null
    extension_threshold_seconds: number | null
    extension_seconds: number | null
    live_closes_at: Date | null
    buyer_premium_percentage: string | null
    increment_strategy_id: string | null
    published: Generated<boolean>
    hidden: Generated<boolean>
    finished: Generated<boolean>
    customer_bidding_enabled: Generated<boolean>
    created_at: Date | null
    updated_at: Date | null
    revision: Generated<string>
    results: Generated<string>
    decides_from: Date | null
    numbers_fixed: Generated<boolean>
    archived: Generated<boolean>
  }
}
