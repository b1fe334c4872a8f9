import { addressTemplate } from '../../rules/address.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'

/** The policies of a project: of those whose scope holds for a change, the first applies, and else the default. */
export interface PolicyRanking extends Versioned {
  /** Keys of the policies that have a scope, the first before all others. */
  readonly scoped: readonly string[]
  readonly defaultKey?: string
}

const allPolicies = addressTemplate('proj/{projectKey}:release-policy/*')

export const policyRankings = documents<PolicyRanking>()({
  name: 'release-policy-ranking',
  address: 'proj/{projectKey}:release-policy-ranking/current',
  resource: (_, keys) => allPolicies.resource(keys),
  changes: { scoped: 'updateReleasePolicyRank', defaultKey: null },
})

interface ProjectKeys {
  readonly projectKey: string
}

/** The ranking of a project's policies; version 0 and empty while there was none. */
export async function rankingOf(tx: Reader, keys: ProjectKeys): Promise<PolicyRanking> {
  return (await tx.get(policyRankings, keys)) ?? { version: 0, scoped: [] }
}

/** A ranking with a policy in it, at the end of those with a scope or as the default. */
export function ranked(ranking: PolicyRanking, key: string, scoped: boolean): PolicyRanking {
  return scoped ? { ...ranking, scoped: [...ranking.scoped, key] } : { ...ranking, defaultKey: key }
}

/** A ranking without a policy; those behind it move up. */
export function unranked(ranking: PolicyRanking, key: string): PolicyRanking {
  const { defaultKey, ...rest } = ranking
  const scoped = ranking.scoped.filter((one) => one !== key)
  return { ...rest, scoped, ...(defaultKey === undefined || defaultKey === key ? {} : { defaultKey }) }
}

/** Keys of all policies in the order of their ranks: the default is the last. */
export function keysByRank({ scoped, defaultKey }: PolicyRanking): string[] {
  return defaultKey === undefined ? [...scoped] : [...scoped, defaultKey]
}
