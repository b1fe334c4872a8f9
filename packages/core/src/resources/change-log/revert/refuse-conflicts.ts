import { members } from '../../../models/members/member.ts'
import type { ChangeLogEntry, LoggedChange } from '../../../operation/change-log/change-log-entry.ts'
import { entryId } from '../../../operation/change-log/entry-id.ts'
import { shownConflicts } from '../../../operation/change-log/shown-conflicts.ts'
import type { ChangeConflict } from '../../../operation/errors.ts'
import type { UndoContext } from '../../../operation/undo/undo-rules.ts'
import type { LocatedDocument } from '../../../operation/undo/undo-table.ts'
import type { Sample } from '../../../storage/port.ts'
import { type LaterChange, laterChanges } from './later-changes.ts'

/** The conflicts of a revert in one document. */
export interface DocumentConflicts extends Pick<LocatedDocument, 'collection' | 'keys'> {
  readonly change: Pick<LoggedChange, 'kind' | 'resource' | 'document'>
  /** Conflicts at paths of the stored document. */
  readonly conflicts: readonly ChangeConflict[]
}

/**
 * Fails when later changes prevent a revert. The message names the newest of them: what it did, who made it
 * and when.
 *
 * @throws ApiError `optimistic_locking_error` with all conflicts, at the paths of responses.
 */
export async function refuseConflicts(
  context: UndoContext,
  entry: Sample,
  found: readonly DocumentConflicts[],
): Promise<void> {
  const conflicts = found.flatMap(({ collection, keys, conflicts: stored }) =>
    stored.flatMap((conflict) => shownConflicts(collection, keys, conflict, context.format)),
  )
  const first = found.find((document) => document.conflicts.length > 0)
  if (!first) return
  const { changes } = await laterChanges(context.tx, entry, first.change)
  const later = changes.find((candidate) => overlaps(candidate, first))
  const cause = later
    ? await describeEntry(context, later.entry)
    : `${first.change.resource} is no longer as this entry left it`
  context.fail('optimistic_locking_error', { message: `A later change prevents this: ${cause}`, conflicts })
}

function overlaps({ change }: LaterChange, { conflicts }: DocumentConflicts): boolean {
  return conflicts.some(({ path }) =>
    change.patch.some((part) => isUnderPath(part.path, path) || isUnderPath(path, part.path)),
  )
}

function isUnderPath(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`)
}

async function describeEntry({ tx }: UndoContext, { at, id, body }: Sample): Promise<string> {
  const { sentences = [], description, operation, name, caller } = body as ChangeLogEntry
  const member = caller.memberId === undefined ? undefined : await tx.get(members, { memberId: caller.memberId })
  const author = member?.email ?? caller.memberId ?? caller.id
  const date = new Date(at).toISOString()
  const line = sentences[0] ?? `${description ?? operation} (${name})`
  return `${author} ${line}, at ${date} (entry ${entryId({ at, id })})`
}
