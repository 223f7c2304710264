/** Money in minor units. */
export type Money = { amount: number; currency: string }
export type Estimate = { low?: Money; high?: Money }
export type Translation = {
  title?: string | null
  description?: string | null
  condition?: string | null
  dimensions?: string | null
  weight?: string | null
}
type Times = { created_at: string; updated_at: string }

export type Session = Times & {
  id: string
  auction: string
  title: string | null
  external_reference: string | null
  kind: 'timed' | 'live'
  opens_at: string | null
  timed?: {
    first_closes_at: string | null
    group_size: number | null
    interval_seconds: number | null
    extension_threshold_seconds: number
    extension_seconds: number
  }
  live?: { closes_at: string | null }
  settings: { buyer_premium_percentage: string }
  published: boolean
  finished: boolean
  customer_bidding_enabled: boolean
}

export type Auction = Times & {
  id: string
  title: string
  description: string | null
  external_reference: string | null
  published: boolean
  sessions: Session[]
}

export type GalleryImage = {
  id: string
  url: string | null
  preview_url: string | null
  thumbnail_url: string | null
  mini_url: string | null
  position: number
  featured: boolean
}

export type Item = Times & {
  id: string
  external_reference: string | null
  title: string
  description: string | null
  condition: string | null
  dimensions: string | null
  weight: string | null
  estimate: Estimate | null
  images: GalleryImage[]
  translations: Record<string, Translation>
  seller: string | null
  categories: string[]
  makers: string[]
  delivery_class: string | null
  consignment: string | null
}

/** `item` is the id alone where the item cannot be shown. */
export type Lot = Times & {
  id: string
  lot_number: number | null
  active: boolean
  title: string
  starting_bid: Money | null
  current_bid: Money | null
  sold: boolean
  closes_at: string | null
  timed?: { scheduled_closes_at: string | null }
  item: Item | string
  session: string
}

export type ManagedImage = Omit<GalleryImage, 'position'> &
  Times & {
    item: string
    external_reference: string | null
    public: boolean
    processing: boolean
    processing_failure: { code: string; at: string } | null
    gallery_position: number | null
    original_url: string | null
  }
