import { changeLog } from '../../../operation/change-log/change-log.ts'
import type { ChangeLogEntry, LoggedChange } from '../../../operation/change-log/change-log-entry.ts'
import { addressTerm } from '../../../operation/change-log/change-log-terms.ts'
import { parseAddress } from '../../../rules/address.ts'
import { applyChanges } from '../../../rules/undo/apply-changes.ts'
import type { Versioned } from '../../../storage/collection.ts'
import type { Sample } from '../../../storage/port.ts'
import type { Reader } from '../../../storage/reader.ts'
import { inOrderOfVersions } from '../order-of-versions.ts'

/** Maximum number of later entries that a revert reads for one document. */
const maxLaterEntries = 1_000

/** Maximum difference between the clocks of two processes, ms. A later entry can have an earlier time. */
const maxClockDifference = 60_000

/** A change of a document, and the entry that contains it. */
export interface LaterChange {
  readonly entry: Sample
  readonly change: LoggedChange
}

/** Returns the address in storage of the document that a change is about. */
export function documentOf({ document, resource }: Pick<LoggedChange, 'document' | 'resource'>): string {
  return document ?? resource
}

/** The changes of a document that were made by entries after a given entry. */
export interface LaterChanges {
  /** The newest first. */
  readonly changes: readonly LaterChange[]
  /** False when there are more changes than a revert reads. `changes` then lacks the oldest changes. */
  readonly areComplete: boolean
}

/**
 * Returns the changes of a document after an entry, in the order of its versions. The order of times can be wrong,
 * because the clocks of processes differ.
 */
export async function laterChanges(
  tx: Pick<Reader, 'newest'>,
  entry: Pick<Sample, 'at' | 'id'>,
  { kind, resource, document }: Pick<LoggedChange, 'kind' | 'resource' | 'document'>,
): Promise<LaterChanges> {
  // Some changes of a flag concern all environments, and others concern its configuration in one environment, so a
  // level with the key `*` matches every key.
  const levels = (parseAddress(resource) ?? []).map((level) => ({
    kind: level.kind,
    key: level.key === '*' ? undefined : level.key,
  }))
  const newest = await tx.newest(
    changeLog,
    {},
    {
      limit: maxLaterEntries,
      from: entry.at - maxClockDifference,
      terms: [[addressTerm(levels)]],
    },
  )
  const address = documentOf({ resource, ...(document === undefined ? {} : { document }) })
  const concerned = newest.flatMap((sample) => {
    const changes = (sample.body as ChangeLogEntry).changes.filter(
      (change) => change.kind === kind && !change.members && documentOf(change) === address,
    )
    return changes.length > 0 ? [{ ...sample, body: { ...(sample.body as ChangeLogEntry), changes } }] : []
  })
  const ordered = inOrderOfVersions(concerned.toReversed()).toReversed()
  const position = ordered.findIndex(({ at, id }) => at === entry.at && id === entry.id)
  const later = position < 0 ? ordered : ordered.slice(0, position)
  const changes = later.flatMap((sample) =>
    (sample.body as ChangeLogEntry).changes.map((change) => ({ entry: sample, change })),
  )
  return { changes, areComplete: position >= 0 }
}

/**
 * Computes the state in which an entry left a document, by undoing later changes of it.
 *
 * @param version the version of the document after the entry. A later version with the same content is accepted too,
 *   because a commit can write a document without a change, so that concurrent changes conflict. The change log does
 *   not list such a write.
 * @returns undefined when the change log does not lead back to that state.
 */
export function rewound(
  current: Versioned | undefined,
  { changes, areComplete }: LaterChanges,
  version: number,
): Versioned | undefined {
  if (!areComplete) return undefined
  let document: unknown = current
  for (const { change } of changes) {
    const before = applyChanges(document, change.inverse)
    if (!before.ok) return undefined
    document = before.value
  }
  // Cast: the patches are those of the document.
  const state = document as Versioned | undefined
  return state && state.version >= version ? state : undefined
}
