import type { JsonChange, JsonDelta } from '../../rules/json-delta.ts'
import type { ShownFormat } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'
import type { ChangeLogEntry, LoggedChange } from './change-log-entry.ts'
import { entryId } from './entry-id.ts'
import { shownDelta } from './shown-change.ts'

/** A change as its change log entry describes it. */
export interface ReadableChange {
  /** Id of the change log entry, e.g. for `getChangeLogEntry` and `revertChangeLogEntry`. */
  readonly id: string
  /** Time of the commit: integer ms, UTC. */
  readonly date: number
  /** Id of the operation, e.g. `patchFlag`. */
  readonly operation: string
  /** One sentence without the caller for each change, e.g. `turned on Checkout in Production`. */
  readonly sentences: readonly string[]
  /** The caller: its id, and the ids of its member and token. */
  readonly caller: ChangeLogEntry['caller']
  readonly comment: string | undefined
  /** The changed resources. The first is the resource of the call itself. */
  readonly resources: readonly ReadableResourceChange[]
}

/** The change of one resource, as responses show it. */
export interface ReadableResourceChange {
  /** Resource specifier, e.g. `proj/web:env/production:flag/checkout`. */
  readonly resource: string
  /**
   * Kind of the changed document, e.g. `flag` or `flag-config`. Documents of several kinds can have the address of the
   * same resource.
   */
  readonly kind: string
  /** The actions that the change required, e.g. `updateOn`. */
  readonly actions: readonly string[]
  /** The change as a JSON Patch (RFC 6902) whose paths and values are those of responses, without secrets. */
  readonly patch: readonly JsonChange[]
  /** The JSON Patch that undoes the change. */
  readonly inverse: readonly JsonChange[]
  /** Keys that were added to or removed from a set of the resource. Default: no keys. */
  readonly members?: NonNullable<LoggedChange['members']>
}

/** Returns an entry of the change log as a change for the host; its patches are computed when they are first read. */
export function readableChange(sample: Sample, format: ShownFormat): ReadableChange {
  // Cast: the samples of this series are entries.
  const entry = sample.body as ChangeLogEntry
  return { ...describedEntry(sample), resources: entry.changes.map((change) => readableResource(change, format)) }
}

/** Returns the properties of a change that its entry contains, which need no computation. */
export function describedEntry(sample: Sample): Omit<ReadableChange, 'resources'> {
  const { operation, sentences = [], caller, comment } = sample.body as ChangeLogEntry
  return { id: entryId(sample), date: sample.at, operation, sentences, caller, comment }
}

/** Returns the change of one resource as responses show it; the patches are computed when they are first read. */
export function readableResource(change: LoggedChange, format: ShownFormat): ReadableResourceChange {
  let delta: JsonDelta | undefined
  const serializedDelta = () => (delta ??= shownDelta(change, format))
  return {
    resource: change.resource,
    kind: change.kind,
    actions: change.actions,
    ...(change.members && { members: change.members }),
    get patch() {
      return serializedDelta().patch
    },
    get inverse() {
      return serializedDelta().inverse
    },
  }
}
