import { addressTemplate } from '../../rules/address.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'
import { projects } from '../projects/project.ts'

/**
 * The order of the policies of a project. The first policy whose scope matches a change applies to it; if none matches,
 * the default applies.
 */
export interface PolicyRanking extends Versioned {
  /** Keys of the policies with a scope, the highest rank first. */
  readonly scoped: readonly string[]
  readonly defaultKey?: string
}

const allPolicies = addressTemplate('proj/{projectKey}:release-policy/*')

export const policyRankings = documents<PolicyRanking>()({
  name: 'release-policy-ranking',
  address: 'proj/{projectKey}:release-policy-ranking/current',
  resource: (_, keys) => allPolicies.resource(keys),
  shown: { scoped: null, defaultKey: null },
  partOf: projects,
  sentences: {
    name: (_, whole) => `the release policies of ${whole}`,
    // The creation of the first policy creates the ranking.
    created: () => [],
    changed: { scoped: (_before, _after, { it }) => `reordered ${it}` },
  },
  changes: { scoped: 'updateReleasePolicyRank', defaultKey: null },
})

interface ProjectKeys {
  readonly projectKey: string
}

/** Returns the ranking of a project's policies: version 0 and empty when it is not stored. */
export async function rankingOf(tx: Reader, keys: ProjectKeys): Promise<PolicyRanking> {
  return (await tx.get(policyRankings, keys)) ?? { version: 0, scoped: [] }
}

/** Adds a policy to a ranking: as the last policy with a scope, or as the default policy. */
export function withRankedPolicy(ranking: PolicyRanking, key: string, hasScope: boolean): PolicyRanking {
  return hasScope ? { ...ranking, scoped: [...ranking.scoped, key] } : { ...ranking, defaultKey: key }
}

/** Removes a policy from a ranking. The policies after it move up by one rank. */
export function withoutPolicy(ranking: PolicyRanking, key: string): PolicyRanking {
  const { defaultKey, ...withoutDefault } = ranking
  const scoped = ranking.scoped.filter((scopedKey) => scopedKey !== key)
  return { ...withoutDefault, scoped, ...(defaultKey === undefined || defaultKey === key ? {} : { defaultKey }) }
}

/** Returns the keys of all policies by rank. The default policy is the last. */
export function keysByRank({ scoped, defaultKey }: PolicyRanking): string[] {
  return defaultKey === undefined ? [...scoped] : [...scoped, defaultKey]
}
