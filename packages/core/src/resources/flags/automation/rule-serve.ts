import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import type { Serve } from '../../../rules/targeting/serve.ts'

type ConfigRules = Pick<FlagConfig, 'rules' | 'fallthrough'>

/**
 * Returns what the rule with an id serves or, without an id, what the default rule serves; undefined when the rule does
 * not exist.
 */
export function serveOf({ rules, fallthrough }: ConfigRules, ruleId: string | undefined): Serve | undefined {
  if (ruleId === undefined) return fallthrough
  const rule = rules.find(({ _id }) => _id === ruleId)
  if (!rule) return undefined
  const { variation, rollout } = rule
  return { ...(variation === undefined ? {} : { variation }), ...(rollout ? { rollout } : {}) }
}

/** Returns a configuration in which the rule with an id or, without an id, the default rule serves something else. */
export function replaceServe<C extends ConfigRules>(config: C, ruleId: string | undefined, serve: Serve): C {
  if (ruleId === undefined) return { ...config, fallthrough: serve }
  const rules = config.rules.map((rule) => {
    if (rule._id !== ruleId) return rule
    const { variation: _, rollout: __, ...rest } = rule
    return { ...rest, ...serve }
  })
  return { ...config, rules }
}
