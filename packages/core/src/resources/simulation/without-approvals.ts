import { type Environment, environments } from '../../models/environments/environment.ts'
import type { AccountStorage, DocumentId } from '../../storage/port.ts'

/**
 * Wraps a storage so that no environment requires approval: running a change on it shows what the approved change does.
 * All other content of environments is as stored.
 *
 * @param exceptKey key of the environments in which approval is required as stored. Default: none.
 */
export function withoutApprovals(storage: AccountStorage, but?: string): AccountStorage {
  const seen = <D extends { readonly body: unknown }>(collection: string, document: D): D => {
    if (collection !== environments.name || !document.body) return document
    const environment = document.body as Environment
    return environment.key === but ? document : { ...document, body: asksForNothing(environment) }
  }
  const one = <D extends { readonly body: unknown }>({ collection }: DocumentId, document: D | undefined) =>
    document && seen(collection, document)
  return {
    ...storage,
    get: async (id) => one(id, await storage.get(id)),
    async getMany(ids) {
      const found = await storage.getMany(ids)
      return found.map((document, at) => one(ids[at] as DocumentId, document))
    },
    async list(query) {
      const page = await storage.list(query)
      return { ...page, items: page.items.map((document) => seen(query.collection, document)) }
    },
  }
}

function asksForNothing(environment: Environment): Environment {
  const { approvalSettings, resourceApprovalSettings } = environment
  return {
    ...environment,
    approvalSettings: { ...approvalSettings, required: false },
    ...(resourceApprovalSettings?.segment
      ? {
          resourceApprovalSettings: {
            ...resourceApprovalSettings,
            segment: { ...resourceApprovalSettings.segment, required: false },
          },
        }
      : {}),
  }
}
