import { ownSettings, settingKinds, withSettings } from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { AccountStorage, DocumentId } from '../../storage/port.ts'

/**
 * Wraps a storage so that no environment requires approval: running a change on it shows what the approved change does.
 * All other content of environments is as stored.
 *
 * @param exceptKey key of the environments in which approval is required as stored. Default: approval is required in no
 *   environment.
 */
export function withoutApprovals(storage: AccountStorage, exceptKey?: string): AccountStorage {
  const readable = <D extends { readonly body: unknown }>(collection: string, document: D): D => {
    if (collection !== environments.name || !document.body) return document
    const environment = document.body as Environment
    return environment.key === exceptKey ? document : { ...document, body: withoutRequiredApproval(environment) }
  }
  const readableOrUndefined = <D extends { readonly body: unknown }>(
    { collection }: DocumentId,
    document: D | undefined,
  ) => document && readable(collection, document)
  return {
    ...storage,
    get: async (id) => readableOrUndefined(id, await storage.get(id)),
    async getMany(ids) {
      const documents = await storage.getMany(ids)
      return documents.map((document, index) => readableOrUndefined(ids[index] as DocumentId, document))
    },
    async list(query) {
      const page = await storage.list(query)
      return { ...page, items: page.items.map((document) => readable(query.collection, document)) }
    },
  }
}

function withoutRequiredApproval(environment: Environment): Environment {
  return settingKinds.reduce((changed, kind) => {
    const kindSettings = ownSettings(changed, kind)
    return kindSettings?.required ? withSettings(changed, kind, { ...kindSettings, required: false }) : changed
  }, environment)
}
