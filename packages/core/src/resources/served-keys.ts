import { agentGraphs } from '../models/agent-graphs/agent-graph.ts'
import { aiConfigs } from '../models/ai-configs/ai-config.ts'
import { flags } from '../models/flags/flag.ts'
import { commitGuard, type DocumentGuard, type GuardContext } from '../operation/commit-guard.ts'
import { fail } from '../operation/errors.ts'
import type { Documents, Versioned } from '../storage/collection.ts'

/** The collections whose documents SDKs receive as flags. The addresses differ only in the kind of the last level. */
const servedCollections: readonly Documents<Versioned>[] = [flags, aiConfigs, agentGraphs]

/**
 * Refuses to create a flag, an AI config or an agent graph with a key that one of the others has, because SDKs receive all
 * of them in one list (docs/decisions/0053-serve-ai-configs-as-flags.md).
 */
export const servedKeyGuard = /* @__PURE__ */ commitGuard(servedCollections.map(guardOf))

function guardOf(collection: Documents<Versioned>): DocumentGuard {
  return {
    collection,
    // Only creations can repeat a key.
    properties: [],
    async check({ tx }, { before, after, keys }) {
      if (!before && after) await requireFreeKey(tx, collection, keys)
      return []
    },
  }
}

async function requireFreeKey(
  tx: GuardContext['tx'],
  created: Documents<Versioned>,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  const key = created.address.key(keys)
  const others = servedCollections.filter((collection) => collection !== created)
  const documents = await Promise.all(others.map((other) => tx.get(other, keysIn(other, keys, key))))
  const other = others[documents.findIndex((document) => document !== undefined)]
  if (!other) return
  const message = `The ${created.noun} ${key} cannot be created, because the ${other.noun} with this key reaches SDKs under it`
  fail('optimistic_locking_error', { message })
}

/** Returns the keys of the document with a key in another collection of the same project. */
function keysIn({ address }: Documents<Versioned>, keys: Readonly<Record<string, string>>, key: string) {
  const own = address.parameters.at(-1) as string
  return { ...keys, [own]: key }
}
