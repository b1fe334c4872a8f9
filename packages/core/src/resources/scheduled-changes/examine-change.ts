import type { Context } from '../../operation/context.ts'
import { type Fault, fail as forbid } from '../../operation/errors.ts'
import type { ChangedDocument } from '../../storage/changed-document.ts'
import { dryRunWriter } from '../../storage/dry-run-writer.ts'
import type { Writer } from '../../storage/writer.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'
import type { ScheduledChange, ScheduledChangeKeys } from './scheduled-change.ts'

type ExamineContext = Context<Writer, 'invalid_request' | 'not_found'>

/**
 * Validates that this caller could make a change now. A scheduled change runs with the rights of its author, so the
 * author must have the rights for it.
 *
 * @throws ApiError the errors of the change itself; `method_not_allowed` when its environment requires approval (D31);
 *   `invalid_request` for a time in the past.
 */
export async function examineChange(
  context: ExamineContext,
  { projectKey, environmentKey, featureFlagKey }: Omit<ScheduledChangeKeys, 'id'>,
  { instructions, executionDate, comment }: Pick<ScheduledChange, 'instructions' | 'executionDate' | 'comment'>,
): Promise<void> {
  const { tx, fail } = context
  const host = context.useHost()
  const now = context.readClock()
  const errors: Fault[] = executionDate > now ? [] : [{ attribute: 'executionDate', reason: 'must be in the future' }]
  if (errors.length > 0) fail('invalid_request', { errors })
  const place = { kind: 'flag', projectKey, environmentKey, resourceKey: featureFlagKey } as const
  const subject = (await loadFlagSubject(tx, place)) ?? fail('not_found')
  const changed: ChangedDocument[] = []
  const manner = { comment, thorough: true, approved: false }
  const hasCome = (at: number) => at <= now
  const dryRun = { tx: dryRunWriter(tx, changed), useHost: () => host, readClock: () => now, hasCome, fail }
  await subject.follow(dryRun, instructions, manner)
  for (const { collection, keys, before, actions } of changed) {
    for (const action of actions) {
      if (await context.allowed(action, collection, keys, before)) continue
      // `allowed` instead of `demand`, because the change log records the rights for scheduling now, and the rights for
      // the change when it is made.
      forbid('forbidden', { explanation: await context.whyNot(action, collection, keys, before) })
    }
  }
  subject.hold(tx)
}
