import * as v from 'valibot'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { fail, type ValidationError } from '../../operation/errors.ts'
import { key, type Output, parse } from '../../operation/schema.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { validContext } from '../targeting/evaluated-context.ts'

/** Maximum number of contexts that a simulation evaluates. */
export const maxContexts = 1000

const simulationSchema = v.strictObject({
  projectKey: v.optional(key()),
  environmentKey: v.optional(key()),
  flagKey: v.optional(key()),
  segmentKey: v.optional(key()),
  configKey: v.optional(key()),
  variationKey: v.optional(key()),
  approvalRequestId: v.optional(v.string()),
  scheduledChangeId: v.optional(v.string()),
  instructions: v.optional(v.array(v.unknown())),
  // A JSON Patch, alone or with a comment; for an AI config or a variation, the new properties. The operation validates
  // the content.
  patch: v.optional(v.unknown()),
  comment: v.optional(v.string()),
  bypassRequiredApproval: v.optional(v.boolean(), false),
  contexts: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.custom<EvaluationContext>(() => true),
          validContext(),
        ),
      ),
      v.maxLength(maxContexts, `must contain at most ${maxContexts} contexts`),
      v.readonly(),
    ),
    [],
  ),
})

type SimulationInput = Output<typeof simulationSchema>

/** The input of a simulation: the change or a reference to it, and the contexts. */
export type SimulationRequest = Pick<SimulationInput, 'contexts' | 'bypassRequiredApproval'> &
  (RequestInEnvironment | ChangeInEnvironment)

export interface RequestInEnvironment {
  readonly approvalRequestId: string
  /** The environment to compare for a request about the contents of an AI config, which all environments share. */
  readonly environmentKey: string | undefined
}

export interface ChangeInEnvironment {
  readonly kind: 'flag' | 'segment' | 'aiconfig'
  readonly environmentKeys: EnvironmentKeys
  readonly resourceKey: string
  /** The variation of an AI config that a patch changes. Default: the config itself. */
  readonly variationKey?: string | undefined
  readonly change: ChangeContent
}

type ChangeContent =
  | { readonly scheduledChangeId: string }
  | { readonly instructions: readonly unknown[]; readonly comment?: string | undefined }
  | { readonly patch: unknown; readonly comment?: string | undefined }

/**
 * Validates the input of a simulation.
 *
 * @throws ApiError `invalid_request` naming each invalid property.
 */
export function readSimulation(input: unknown): SimulationRequest {
  const parsed = parse(simulationSchema, input)
  if (!parsed.ok) return fail('invalid_request', { errors: parsed.errors })
  const { value } = parsed
  const { contexts, bypassRequiredApproval, approvalRequestId } = value
  const errors = approvalRequestId === undefined ? validateChange(value) : validateRequest(value)
  if (errors.length > 0) fail('invalid_request', { errors })
  const { projectKey, environmentKey, flagKey, segmentKey, configKey, variationKey } = value
  if (approvalRequestId !== undefined) return { contexts, bypassRequiredApproval, approvalRequestId, environmentKey }
  return {
    contexts,
    bypassRequiredApproval,
    kind: flagKey === undefined ? (segmentKey === undefined ? 'aiconfig' : 'segment') : 'flag',
    environmentKeys: { projectKey: projectKey as string, environmentKey: environmentKey as string },
    resourceKey: (flagKey ?? segmentKey ?? configKey) as string,
    variationKey,
    change: changeContentOf(value),
  }
}

function changeContentOf({ scheduledChangeId, instructions, patch, comment }: SimulationInput): ChangeContent {
  if (scheduledChangeId !== undefined) return { scheduledChangeId }
  return instructions ? { instructions, comment } : { patch, comment }
}

/**
 * An approval request contains its resource and change, so these properties must be omitted. `environmentKey` depends
 * on the request.
 */
function validateRequest(value: SimulationInput): ValidationError[] {
  const conflictingProperties = [
    'projectKey',
    'flagKey',
    'segmentKey',
    'configKey',
    'variationKey',
    'scheduledChangeId',
    'instructions',
    'patch',
  ]
  return [...conflictingProperties, 'comment']
    .filter((name) => value[name as keyof SimulationInput] !== undefined)
    .map((attribute) => ({ attribute, reason: 'must be left out when approvalRequestId is present' }))
}

function validateChange(value: SimulationInput): ValidationError[] {
  const { flagKey, segmentKey, configKey, variationKey, patch, scheduledChangeId, comment } = value
  const missing = (['projectKey', 'environmentKey'] as const)
    .filter((attribute) => value[attribute] === undefined)
    .map((attribute) => ({ attribute, reason: 'must be present' }))
  const errors: ValidationError[] = [
    ...missing,
    ...requireExactlyOne(value, ['flagKey', 'segmentKey', 'configKey']),
    ...requireExactlyOne(value, ['instructions', 'patch', 'scheduledChangeId']),
  ]
  if (variationKey !== undefined && (configKey === undefined || patch === undefined)) {
    errors.push({ attribute: 'variationKey', reason: 'must be left out unless configKey and patch are present' })
  }
  if (scheduledChangeId === undefined) return errors
  if (flagKey === undefined && (segmentKey ?? configKey) !== undefined) {
    errors.push({ attribute: 'scheduledChangeId', reason: 'must be the id of a change of a flag' })
  }
  if (comment !== undefined)
    errors.push({ attribute: 'comment', reason: 'must be left out, because the scheduled change has a comment' })
  return errors
}

function requireExactlyOne(value: SimulationInput, names: readonly (keyof SimulationInput)[]): ValidationError[] {
  const present = names.filter((name) => value[name] !== undefined)
  if (present.length === 1) return []
  if (present.length === 0)
    return [{ attribute: names[0] as string, reason: `must be present, or ${names.slice(1).join(' or ')} must be` }]
  return present.slice(1).map((attribute) => ({ attribute, reason: `must be left out when ${present[0]} is present` }))
}
