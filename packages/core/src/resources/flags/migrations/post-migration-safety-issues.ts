import * as v from 'valibot'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { type ConfigKeys, defaultConfig, type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { jsonBody } from '../../../operation/body.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { refuse } from '../../../operation/errors.ts'
import { operation } from '../../../operation/operation.ts'
import { list, text } from '../../../operation/schema.ts'
import { migrationSafetyIssues } from '../../../rules/migration-safety/migration-safety-issues.ts'
import { applyFlagInstructions } from '../changes/apply-flag-instructions.ts'
import { checkFlag } from '../changes/save-flag.ts'
import type { FlagState } from '../flag-state.ts'
import { flagInstruction } from '../instructions/flag-instruction.ts'

const maxInstructions = 1000

/** Maximum number of rules, which are compared with each other. A migration usually has a handful. */
const maxRules = 500

/** A semantic patch of the flag. `environmentKey` is optional, because the path names the environment. */
const safetyRequest = v.strictObject({
  instructions: v.pipe(
    list(flagInstruction),
    v.maxLength(maxInstructions, `must contain at most ${maxInstructions} instructions`),
  ),
  environmentKey: v.optional(v.string()),
  comment: v.optional(text()),
})

const issueResponse = v.object({
  causingRuleId: v.string(),
  affectedRuleIds: list(v.string()),
  issue: v.string(),
  oldSystemAffected: v.boolean(),
})

export const postMigrationSafetyIssues = operation({
  id: 'postMigrationSafetyIssues',
  summary: 'List the data safety issues that a patch of a migration flag would cause, without changing anything',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/migration-safety-issues',
  body: jsonBody(safetyRequest),
  success: { status: 200, body: list(issueResponse) },
  dry: true,
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, body }) {
    const { projectKey, flagKey, environmentKey } = params
    const keys = { projectKey, flagKey }
    const before = (await stateIn(context, params)) ?? context.fail('not_found')
    const { migrationSettings } = before.flag
    if (!migrationSettings) return refuse('flagKey', 'must be the key of a migration flag')
    if ((body.environmentKey ?? environmentKey) !== environmentKey) {
      return refuse('environmentKey', 'must be the environment of the path, or be left out')
    }
    const { instructions, comment } = body
    const patch = { format: 'semantic', environmentKey, instructions, comment } as const
    const change = await applyFlagInstructions(context, { keys, before }, patch)
    await checkFlag(context, { keys, before }, change)
    const configBefore = before.configs.get(environmentKey) as FlagConfig
    const configAfter = change.configs.get(environmentKey) as FlagConfig
    if (Math.max(configBefore.rules.length, configAfter.rules.length) > maxRules) {
      return refuse('instructions', `must be about a flag with at most ${maxRules} rules`)
    }
    return migrationSafetyIssues(migrationSettings.stageCount, configBefore, configAfter)
  },
})

/** Returns the flag with this environment only. */
async function stateIn({ tx }: ReadContext, keys: ConfigKeys): Promise<FlagState | undefined> {
  const [flag, environment, config] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagConfigs, keys),
  ])
  if (!flag || !environment) return undefined
  const configs = new Map([[keys.environmentKey, config ?? defaultConfig(flag, environment)]])
  return { flag, environments: [environment], configs }
}
