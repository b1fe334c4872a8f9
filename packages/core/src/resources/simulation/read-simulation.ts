import * as v from 'valibot'
import { type Fault, fail } from '../../operation/errors.ts'
import { key, type Output, parse } from '../../operation/schema.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { subjectOf } from '../../rules/evaluation/subject.ts'

const mostContexts = 1000

const context = v.rawCheck<EvaluationContext>(({ dataset, addIssue }) => {
  const subject = subjectOf(dataset.value as EvaluationContext)
  if (typeof subject === 'string') addIssue({ message: `must be a context: ${subject}` })
})

const wanted = v.strictObject({
  projectKey: v.optional(key()),
  environmentKey: v.optional(key()),
  flagKey: v.optional(key()),
  segmentKey: v.optional(key()),
  approvalRequestId: v.optional(v.string()),
  scheduledChangeId: v.optional(v.string()),
  instructions: v.optional(v.array(v.unknown())),
  // A JSON Patch, alone or with a comment. The operation validates its content.
  patch: v.optional(v.unknown()),
  comment: v.optional(v.string()),
  bypassRequiredApproval: v.optional(v.boolean(), false),
  contexts: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.custom<EvaluationContext>(() => true),
          context,
        ),
      ),
      v.maxLength(mostContexts, `must contain at most ${mostContexts} contexts`),
      v.readonly(),
    ),
    [],
  ),
})

type Wanted = Output<typeof wanted>

/** The input of a simulation: the change or a reference to it, and the contexts. */
export type AskedSimulation = Pick<Wanted, 'contexts' | 'bypassRequiredApproval'> &
  ({ readonly approvalRequestId: string } | PlacedChange)

export interface PlacedChange {
  readonly kind: 'flag' | 'segment'
  readonly place: { readonly projectKey: string; readonly environmentKey: string }
  readonly resourceKey: string
  readonly change: ChangeSaid
}

type ChangeSaid =
  | { readonly scheduledChangeId: string }
  | { readonly instructions: readonly unknown[]; readonly comment?: string | undefined }
  | { readonly patch: unknown; readonly comment?: string | undefined }

/**
 * Validates the input of a simulation.
 *
 * @throws ApiError `invalid_request` naming each invalid property.
 */
export function readSimulation(input: unknown): AskedSimulation {
  const parsed = parse(wanted, input)
  if (!parsed.ok) return fail('invalid_request', { errors: parsed.faults })
  const { value } = parsed
  const { contexts, bypassRequiredApproval, approvalRequestId } = value
  const faults = approvalRequestId === undefined ? changeFaults(value) : requestFaults(value)
  if (faults.length > 0) fail('invalid_request', { errors: faults })
  if (approvalRequestId !== undefined) return { contexts, bypassRequiredApproval, approvalRequestId }
  const { projectKey, environmentKey, flagKey, segmentKey } = value
  return {
    contexts,
    bypassRequiredApproval,
    kind: flagKey === undefined ? 'segment' : 'flag',
    place: { projectKey: projectKey as string, environmentKey: environmentKey as string },
    resourceKey: (flagKey ?? segmentKey) as string,
    change: changeSaid(value),
  }
}

function changeSaid({ scheduledChangeId, instructions, patch, comment }: Wanted): ChangeSaid {
  if (scheduledChangeId !== undefined) return { scheduledChangeId }
  return instructions ? { instructions, comment } : { patch, comment }
}

/** An approval request contains its resource and change, so these properties must be omitted. */
function requestFaults(value: Wanted): Fault[] {
  const said = ['projectKey', 'environmentKey', 'flagKey', 'segmentKey', 'scheduledChangeId', 'instructions', 'patch']
  return [...said, 'comment']
    .filter((name) => value[name as keyof Wanted] !== undefined)
    .map((attribute) => ({ attribute, reason: 'must be left out when approvalRequestId is present' }))
}

function changeFaults(value: Wanted): Fault[] {
  const { flagKey, segmentKey, scheduledChangeId, comment } = value
  const missing = (['projectKey', 'environmentKey'] as const)
    .filter((attribute) => value[attribute] === undefined)
    .map((attribute) => ({ attribute, reason: 'must be present' }))
  const faults: Fault[] = [
    ...missing,
    ...oneOf(value, ['flagKey', 'segmentKey']),
    ...oneOf(value, ['instructions', 'patch', 'scheduledChangeId']),
  ]
  if (scheduledChangeId === undefined) return faults
  if (flagKey === undefined && segmentKey !== undefined) {
    faults.push({ attribute: 'scheduledChangeId', reason: 'must be the id of a change of a flag' })
  }
  if (comment !== undefined)
    faults.push({ attribute: 'comment', reason: 'must be left out, because the scheduled change has a comment' })
  return faults
}

function oneOf(value: Wanted, names: readonly (keyof Wanted)[]): Fault[] {
  const given = names.filter((name) => value[name] !== undefined)
  if (given.length === 1) return []
  if (given.length === 0)
    return [{ attribute: names[0] as string, reason: `must be present, or ${names.slice(1).join(' or ')} must be` }]
  return given.slice(1).map((attribute) => ({ attribute, reason: `must be left out when ${given[0]} is present` }))
}
