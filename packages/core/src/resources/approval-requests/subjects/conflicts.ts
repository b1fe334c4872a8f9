import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import type { ApprovedChange } from '../../../operation/approval-pass.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { ApiError, type ValidationError } from '../../../operation/errors.ts'
import { canonicalJson } from '../../../rules/canonical-json.ts'
import { applyDry, type DryRunContext, type ProposedChange } from './dry-apply.ts'
import type { ExpectingWriter } from './references.ts'
import type { Subject } from './subject.ts'

/** Reason why an instruction of a request can no longer be applied. */
export interface Conflict {
  readonly index: number
  readonly reason: string
}

/**
 * Returns fingerprints of the current state of everything that instructions change or refer to. They reveal later
 * changes.
 *
 * @param writer requires that each document that was read, except the subject, is unchanged at the commit; default: no
 *   requirement.
 */
export async function basisOf(
  context: Pick<ReadContext, 'tx' | 'useHost'>,
  { subject, instructions }: ProposedChange,
  writer?: ExpectingWriter,
): Promise<Record<string, string>> {
  const { tx } = context
  const host = context.useHost()
  const parts = [...new Set(instructions.flatMap(subject.partsOf))]
  const values = await Promise.all(parts.map((part) => subject.valueOf(tx, part, writer)))
  const fingerprints = await Promise.all(values.map((value) => host.sha256(canonicalJson(value))))
  return Object.fromEntries(parts.map((part, index) => [part, fingerprints[index] as string]))
}

/** Returns the instructions of a request whose parts have changed since the request was made. */
export async function staleInstructions(
  context: Pick<ReadContext, 'tx' | 'useHost'>,
  { instructions, basis }: ApprovalRequest,
  subject: Subject,
  writer?: ExpectingWriter,
): Promise<Conflict[]> {
  const currentBasis = await basisOf(context, { subject, instructions }, writer)
  return instructions.flatMap((instruction, index) => {
    const changed = subject.partsOf(instruction).filter((part) => basis[part] !== currentBasis[part])
    return changed.map((part) => ({ index, reason: `${part} has changed since the request was made` }))
  })
}

/**
 * Applies instructions in a dry run.
 *
 * @param approved the resource and the environment whose reviewers are asked to approve.
 * @returns the validation errors, as a patch with the same instructions would report them; empty when they can be
 *   applied.
 */
export async function dryRun(
  context: DryRunContext,
  proposal: ProposedChange,
  fullCheck: boolean,
  approved: ApprovedChange,
): Promise<readonly ValidationError[]> {
  try {
    await applyDry(context, proposal, { comment: 'dry run', fullCheck }, { approved })
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.errors ?? [{ attribute: 'instructions', reason: error.message }]
  }
}

/** Returns everything that prevents the application of a request, except its reviews. */
export async function conflictsOf(
  context: DryRunContext,
  request: ApprovalRequest,
  subject: Subject,
): Promise<readonly Conflict[]> {
  const [stale, errors] = await Promise.all([
    staleInstructions(context, request, subject),
    dryRun(context, { subject, instructions: request.instructions }, false, request.place),
  ])
  return [...stale, ...errors.map(conflictOf)]
}

/**
 * Converts a validation error to a conflict. An error that is not about one instruction is assigned to the first one.
 */
function conflictOf({ attribute, reason }: ValidationError): Conflict {
  const [, index, property] = /^instructions\.(\d+)\.?(.*)$/.exec(attribute) ?? []
  if (index === undefined) return { index: 0, reason: `${attribute} ${reason}` }
  return { index: Number(index), reason: property ? `${property} ${reason}` : reason }
}
