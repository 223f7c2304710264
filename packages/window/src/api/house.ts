import type { ApiKey, House } from '@auction-catalogue/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { useConnection } from './connection.ts'

/** The house, and what the key may do. */
export const discoveryQuery = queryOptions({
  queryKey: ['discovery'],
  queryFn: ({ signal }) => catalogue().discover({ signal }),
  staleTime: 300_000,
})
export const useDiscovery = () => useQuery({ ...discoveryQuery, enabled: useConnection().key !== null })

/** The house of the key; undefined until it is known. */
export const useHouse = (): House | undefined => useDiscovery().data?.house

export type Permission = ApiKey['permissions'][number]

/** Whether the key has a permission; false until that is known. */
export const useMay = (permission: Permission): boolean =>
  useDiscovery().data?.key.permissions.includes(permission) ?? false
