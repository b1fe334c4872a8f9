import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { ApiError, type Fault, fail } from '../../../operation/errors.ts'
import { canonicalJson } from '../../../rules/canonical-json.ts'
import { dryRunWriter } from '../../../storage/dry-run-writer.ts'
import type { Hold } from './references.ts'
import type { Instructions, Subject } from './subject.ts'

/** Reason why an instruction of a request can no longer be applied. */
export interface Conflict {
  readonly index: number
  readonly reason: string
}

type RehearsalContext = Pick<ReadContext, 'tx' | 'useHost' | 'readClock'>

/**
 * Returns fingerprints of the current state of everything that instructions change or refer to. They reveal later
 * changes.
 *
 * @param writer requires that each document that was read, except the subject, is unchanged at the commit; default: no
 *   requirement.
 */
export async function basisOf(
  context: Pick<ReadContext, 'tx' | 'useHost'>,
  subject: Subject,
  instructions: Instructions,
  hold?: Hold,
): Promise<Record<string, string>> {
  const { tx } = context
  const host = context.useHost()
  const parts = [...new Set(instructions.flatMap(subject.partsOf))]
  const values = await Promise.all(parts.map((part) => subject.valueOf(tx, part, hold)))
  const prints = await Promise.all(values.map((value) => host.sha256(canonicalJson(value))))
  return Object.fromEntries(parts.map((part, at) => [part, prints[at] as string]))
}

/** Returns the instructions of a request whose parts have changed since the request was made. */
export async function staleInstructions(
  context: Pick<ReadContext, 'tx' | 'useHost'>,
  { instructions, basis }: ApprovalRequest,
  subject: Subject,
  hold?: Hold,
): Promise<Conflict[]> {
  const now = await basisOf(context, subject, instructions, hold)
  return instructions.flatMap((instruction, index) => {
    const changed = subject.partsOf(instruction).filter((part) => basis[part] !== now[part])
    return changed.map((part) => ({ index, reason: `${part} has changed since the request was made` }))
  })
}

/**
 * Applies instructions in a dry run.
 *
 * @returns the validation errors, as a patch with the same instructions would report them; empty when they can be
 *   applied.
 */
export async function dryRun(
  context: RehearsalContext,
  subject: Subject,
  instructions: Instructions,
  thorough: boolean,
): Promise<readonly Fault[]> {
  const { tx } = context
  const host = context.useHost()
  const now = context.readClock()
  try {
    const hasCome = (at: number) => at <= now
    const dryRun = { tx: dryRunWriter(tx), useHost: () => host, readClock: () => now, hasCome, fail }
    await subject.follow(dryRun, instructions, {
      comment: 'rehearsal',
      thorough,
    })
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.errors ?? [{ attribute: 'instructions', reason: error.message }]
  }
}

/** Returns everything that prevents the application of a request, except its reviews. */
export async function conflictsOf(
  context: RehearsalContext,
  request: ApprovalRequest,
  subject: Subject,
): Promise<readonly Conflict[]> {
  const [stale, faults] = await Promise.all([
    staleInstructions(context, request, subject),
    dryRun(context, subject, request.instructions, false),
  ])
  return [...stale, ...faults.map(conflictIn)]
}

/**
 * Converts a validation error to a conflict. An error that is not about one instruction is assigned to the first one.
 */
function conflictIn({ attribute, reason }: Fault): Conflict {
  const [, index, member] = /^instructions\.(\d+)\.?(.*)$/.exec(attribute) ?? []
  if (index === undefined) return { index: 0, reason: `${attribute} ${reason}` }
  return { index: Number(index), reason: member ? `${member} ${reason}` : reason }
}
