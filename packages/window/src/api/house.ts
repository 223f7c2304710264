import type { ApiKey, House } from '@auction-catalogue/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { useClientView } from './client-view.ts'
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

const forClients: readonly Permission[] = [
  'auctions.read',
  'lots.read',
  'categories.read',
  'bidding_step_configurations.read',
]

/** What the pages may show and do: what the key may, less the work of staff while a client looks. */
export function usePermissions(): { may: readonly Permission[]; isStaff: boolean; isForClient: boolean } {
  const { permissions = [] } = useDiscovery().data?.key ?? {}
  const isStaff = permissions.includes('staff')
  const isForClient = useClientView() && isStaff
  return {
    may: isForClient ? permissions.filter((each) => forClients.includes(each)) : permissions,
    isStaff,
    isForClient,
  }
}

/** Whether the pages may show or do what needs a permission; false until that is known. */
export const useMay = (permission: Permission): boolean => usePermissions().may.includes(permission)
