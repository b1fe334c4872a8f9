import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { CompiledPolicy } from '../../rules/policy/policy.ts'

/** Returns true when the statements of a policy select one of the changes of an entry. */
export async function selectsEntry(
  context: ReadContext,
  policy: CompiledPolicy,
  { changes }: ChangeLogEntry,
): Promise<boolean> {
  for (const change of changes) if (await context.selects(policy, change)) return true
  return false
}
