import type { ApprovalPass } from '../../../operation/approval-pass.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { fail } from '../../../operation/errors.ts'
import type { ChangedDocument } from '../../../storage/changed-document.ts'
import { type DryRunWrites, dryRunWriter, noWrites } from '../../../storage/dry-run-writer.ts'
import { approvalGuard } from '../../approval-guard.ts'
import type { ApplyOptions, Instructions, Subject } from './subject.ts'

export type DryRunContext = Pick<ReadContext, 'tx' | 'useHost' | 'readClock' | 'caller'>

/** Instructions that are not applied yet, and their subject. */
export interface ProposedChange {
  readonly subject: Subject
  readonly instructions: Instructions
}

/**
 * Applies instructions without storing anything, and checks approvals as the commit would.
 *
 * @param options approvals are checked only with `fullCheck`, because this check reads other resources.
 * @param pass conditions under which the change is allowed without a further approval.
 * @returns each change with the actions that it needs.
 * @throws ApiError as a patch with the same instructions.
 */
export async function applyDry(
  context: DryRunContext,
  proposal: ProposedChange,
  options: ApplyOptions,
  pass: ApprovalPass,
): Promise<readonly ChangedDocument[]> {
  return (await dryWrites(context, proposal, options, pass)).changed
}

/** Applies instructions like {@link applyDry}, and returns all writes, so that a further dry run can build on them. */
export async function dryWrites(
  context: DryRunContext,
  { subject, instructions }: ProposedChange,
  options: ApplyOptions,
  pass: ApprovalPass,
): Promise<DryRunWrites> {
  const host = context.useHost()
  const now = context.readClock()
  const hasCome = (time: number) => time <= now
  const writes = noWrites()
  const tx = dryRunWriter(context.tx, writes)
  const { caller } = context
  const apply = { tx, caller, useHost: () => host, readClock: () => now, hasCome, fail }
  await subject.apply(apply, instructions, options)
  if (options.fullCheck) await approvalGuard({ tx, hasCome, pass }, writes.written.list())
  return writes
}
