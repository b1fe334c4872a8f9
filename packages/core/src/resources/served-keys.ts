import { agentGraphs } from '../models/agent-graphs/agent-graph.ts'
import { aiConfigs } from '../models/ai-configs/ai-config.ts'
import { flags } from '../models/flags/flag.ts'
import { commitGuard, type DocumentGuard, type GuardContext } from '../operation/commit-guard.ts'
import { fail } from '../operation/errors.ts'
import type { Documents, Versioned } from '../storage/collection.ts'

/** A collection whose documents SDKs receive as flags. */
interface ServedCollection {
  readonly collection: Documents<Versioned>
  readonly keysOf: (projectKey: string, key: string) => Readonly<Record<string, string>>
}

const servedCollections: readonly ServedCollection[] = [
  { collection: flags, keysOf: (projectKey, flagKey) => ({ projectKey, flagKey }) },
  { collection: aiConfigs, keysOf: (projectKey, configKey) => ({ projectKey, configKey }) },
  { collection: agentGraphs, keysOf: (projectKey, graphKey) => ({ projectKey, graphKey }) },
]

/**
 * Refuses to create a flag, an AI config or an agent graph with a key that one of the others has, because SDKs receive all
 * of them in one list (docs/decisions/0053-serve-ai-configs-as-flags.md).
 */
export const servedKeyGuard = /* @__PURE__ */ commitGuard(servedCollections.map(guardOf))

function guardOf({ collection }: ServedCollection): DocumentGuard {
  return {
    collection,
    async check({ tx }, { before, after, keys }) {
      if (!before && after)
        await requireFreeKey(tx, collection, keys.projectKey as string, collection.address.key(keys))
      return []
    },
  }
}

async function requireFreeKey(
  tx: GuardContext['tx'],
  created: Documents<Versioned>,
  projectKey: string,
  key: string,
): Promise<void> {
  const others = servedCollections.filter(({ collection }) => collection !== created)
  const documents = await Promise.all(
    others.map(({ collection, keysOf }) => tx.get(collection, keysOf(projectKey, key))),
  )
  const index = documents.findIndex((document) => document !== undefined)
  const other = others[index]
  if (!other) return
  const message = `The ${created.noun} ${key} cannot be created, because the ${other.collection.noun} with this key reaches SDKs under it`
  fail('optimistic_locking_error', { message })
}
