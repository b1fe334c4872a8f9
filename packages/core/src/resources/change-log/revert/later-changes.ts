import { changeLog } from '../../../operation/change-log/change-log.ts'
import type { ChangeLogEntry, LoggedChange } from '../../../operation/change-log/change-log-entry.ts'
import { addressTerm } from '../../../operation/change-log/change-log-terms.ts'
import { parseAddress } from '../../../rules/address.ts'
import { applyChanges } from '../../../rules/undo/apply-changes.ts'
import type { Versioned } from '../../../storage/collection.ts'
import type { Sample } from '../../../storage/port.ts'
import type { Reader } from '../../../storage/reader.ts'

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

/**
 * Returns the changes of a document in other entries, the newest first: those after an entry, and those shortly before
 * it, because the clocks of processes differ.
 */
export async function laterChanges(
  tx: Pick<Reader, 'newest'>,
  entry: Pick<Sample, 'at' | 'id'>,
  { kind, resource, document }: Pick<LoggedChange, 'kind' | 'resource' | 'document'>,
): Promise<readonly LaterChange[]> {
  // A flag is changed in all environments at once, and together with its configuration in one.
  const levels = (parseAddress(resource) ?? []).map((level) => ({
    kind: level.kind,
    key: level.key === '*' ? undefined : level.key,
  }))
  const entries = await tx.newest(
    changeLog,
    {},
    {
      limit: maxLaterEntries,
      from: entry.at - maxClockDifference,
      terms: [[addressTerm(levels)]],
    },
  )
  const address = documentOf({ resource, ...(document === undefined ? {} : { document }) })
  return entries
    .filter(({ at, id }) => at !== entry.at || id !== entry.id)
    .flatMap((later) =>
      (later.body as ChangeLogEntry).changes
        .filter((change) => change.kind === kind && !change.members && documentOf(change) === address)
        .map((change) => ({ entry: later, change })),
    )
}

/**
 * Computes the state in which an entry left a document, by undoing later changes of it.
 *
 * @param entry position of the entry.
 * @param version the version of the document after the entry. A later version with the same content is accepted too: a
 *   document can be written as it is, so that concurrent changes conflict, and the change log does not list that.
 * @returns undefined when the change log does not lead back to that state.
 */
export function rewound(
  current: Versioned | undefined,
  later: readonly LaterChange[],
  entry: Pick<Sample, 'at' | 'id'>,
  version: number,
): Versioned | undefined {
  let document: unknown = current
  for (const { change, entry: other } of later) {
    if (other.at < entry.at || (other.at === entry.at && other.id < entry.id)) break
    const before = applyChanges(document, change.inverse)
    if (!before.ok) return undefined
    document = before.value
  }
  // Cast: the patches are those of the document.
  const state = document as Versioned | undefined
  return state && state.version >= version ? state : undefined
}
