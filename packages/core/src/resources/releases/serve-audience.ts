import type { Environment } from '../../models/environments/environment.ts'
import type { FlagKeys } from '../../models/flags/flag.ts'
import type { FlagConfig } from '../../models/flags/flag-config.ts'
import type { ReleaseAudience } from '../../models/releases/release.ts'
import type { Context } from '../../operation/context.ts'
import { parse } from '../../operation/schema.ts'
import { guardedStages } from '../../rules/release/guarded-audience.ts'
import type { Writer } from '../../storage/writer.ts'
import { createRequest } from '../approval-requests/steps/create-request.ts'
import { flagInstructions } from '../approval-requests/subjects/flag-subject.ts'
import { applyingPolicy } from '../flags/automation/applying-policy.ts'
import { applyFlagInstructions } from '../flags/changes/apply-flag-instructions.ts'
import type { FlagState } from '../flags/flag-state.ts'
import { audienceInstructions } from './audience-instructions.ts'
import { type ServedAudience, type TargetingResult, targetAudience } from './audience-targeting.ts'

export type ServeContext = Context<Writer, 'invalid_request' | 'not_found' | 'forbidden'>

/**
 * Returns true for an audience that needs more than one change: a guarded audience, or an audience that requires
 * approval.
 */
export function isServedLater({ configuration }: ReleaseAudience): boolean {
  return configuration?.requireApproval === true || guardedStages(configuration) !== undefined
}

/** The flag of a release. */
interface ReleasedFlag {
  readonly keys: FlagKeys
  /** The flag, with the configuration that the call has made so far for the environment. */
  readonly state: FlagState
}

/**
 * Serves an audience: immediately, by a guarded release, or, when the audience requires approval, by an approval
 * request, which changes nothing until it is approved and applied.
 */
export async function serveAudience(
  context: ServeContext,
  { keys, state: { flag, configs, environments } }: ReleasedFlag,
  { audience, variations }: ServedAudience,
): Promise<TargetingResult> {
  const { variation, otherVariation } = variations
  const { environmentKey } = audience
  const config = configs.get(environmentKey) as FlagConfig
  if (!isServedLater(audience)) {
    return targetAudience(config, { audience, variations }, context.useHost().newId)
  }
  const policy = await applyingPolicy(context.tx, { ...keys, environmentKey }, flag)
  const idOf = (index: number) => flag.variations[index]?._id as string
  const [variationId, otherVariationId] = [idOf(variation), idOf(otherVariation)]
  const instructions = audienceInstructions(audience, { flag, config, variationId, otherVariationId, policy })
  if (audience.configuration?.requireApproval) {
    return { config, audience: await requestApproval(context, keys, { audience, instructions }) }
  }
  const parsed = parse(flagInstructions, { instructions })
  if (!parsed.ok) return context.fail('invalid_request', { errors: parsed.errors })
  const environment = environments.filter(({ key }) => key === environmentKey) as [Environment]
  const local = { flag, environments: environment, configs: new Map([[environmentKey, config]]) }
  const patch = { format: 'semantic', instructions: parsed.value.instructions, environmentKey, comment: '' } as const
  const change = await applyFlagInstructions(context, { keys, before: local }, patch)
  const after = change.configs.get(environmentKey) as FlagConfig
  const known = new Set(config.rules.map(({ _id }) => _id))
  const ruleIds = after.rules.map(({ _id }) => _id).filter((id) => !known.has(id))
  return { config: after, audience: { ...audience, ruleIds: [...audience.ruleIds, ...ruleIds] } }
}

/** An audience, and the instructions that change what it receives. */
interface AudienceChange {
  readonly audience: ReleaseAudience
  readonly instructions: ReturnType<typeof audienceInstructions>
}

async function requestApproval(
  context: ServeContext,
  { projectKey, flagKey }: FlagKeys,
  { audience, instructions }: AudienceChange,
): Promise<ReleaseAudience> {
  const { environmentKey, name, configuration } = audience
  const { notifyMemberIds = [], notifyTeamKeys = [] } = configuration ?? {}
  const resource = { kind: 'flag', projectKey, environmentKey, resourceKey: flagKey } as const
  const { _id } = await createRequest(context, resource, {
    description: `Release ${flagKey} to ${name}`,
    instructions,
    notifyMemberIds,
    notifyTeamKeys,
  })
  return { ...audience, approvalRequestId: _id }
}
