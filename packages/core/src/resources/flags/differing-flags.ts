import type { Environment } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { type FlagConfig, flagConfigs } from '../../models/flags/flag-config.ts'
import type { ReadContext } from '../../operation/context.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { Condition } from '../../storage/port.ts'
import { withConfigs } from './flag-state.ts'

const limit = Number.MAX_SAFE_INTEGER

/** Number of flags whose configurations are read at a time. */
const flagsPerRead = 500

/**
 * Returns the condition that the serving settings of a flag differ between the environments: state, targets, rules,
 * default rule, off variation or prerequisites. Ids of rules and clauses are ignored.
 *
 * Reads the configurations of all flags that were changed in one of the environments. All others are equal, because
 * they are the default of the flag.
 */
export async function isDiffering(
  context: Pick<ReadContext, 'tx' | 'hasCome'>,
  projectKey: string,
  environments: readonly Environment[],
): Promise<Condition> {
  const { tx } = context
  const pages = await Promise.all(
    environments.map(({ key: environmentKey }) => tx.listRows(flagConfigs, { projectKey, environmentKey }, { limit })),
  )
  const changed = [...new Set(pages.flatMap(({ items }) => items.map(({ key }) => key)))]
  const values: string[] = []
  for (let start = 0; start < changed.length; start += flagsPerRead) {
    const keys = changed.slice(start, start + flagsPerRead).map((flagKey) => ({ projectKey, flagKey }))
    const stored = (await tx.getMany(flags, keys)).filter((flag) => flag !== undefined)
    for (const { flag, configs } of await withConfigs(tx, projectKey, { flagList: stored, environments }, context)) {
      const [first, ...others] = [...configs.values()].map(servingSettings)
      if (others.some((other) => !jsonEqual(first, other))) values.push(flag.key)
    }
  }
  return { op: 'anyOf', field: 'key', values }
}

/** Returns the settings that decide what a configuration serves, without ids. */
function servingSettings(config: FlagConfig) {
  const { on, targets, contextTargets, rules, fallthrough, offVariation, prerequisites } = config
  const plainRules = rules.map(({ _id, clauses, trackEvents, ...rule }) => ({
    ...rule,
    clauses: clauses.map(({ _id, ...clause }) => clause),
  }))
  return { on, targets, contextTargets, rules: plainRules, fallthrough, offVariation, prerequisites }
}
