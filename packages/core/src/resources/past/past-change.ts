import type { LogPosition } from '../../operation/change-log/change-log.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import { parseAddress } from '../../rules/address.ts'
import type { JsonChange } from '../../rules/json-delta.ts'
import { applyChanges } from '../../rules/undo/apply-changes.ts'
import { parseToken } from '../../rules/undo/path-tokens.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { DocumentId, Sample } from '../../storage/port.ts'

/** A change of one document that an entry of the change log lists. */
export interface PastChange extends LogPosition {
  /** Version of the document after the change; undefined when the change deleted it. */
  readonly version: number | undefined
  /** True when the change created the document. */
  readonly creates: boolean
  /** Patch that restores the document as it was before the change. */
  readonly inverse: readonly JsonChange[]
  /** Names of the secret properties that a deleted document had. Default: no properties. */
  readonly withheld?: readonly string[] | undefined
}

/** Compares positions in the change log, the older first. */
export function comparePositions(a: LogPosition, b: LogPosition): number {
  return a.at - b.at || compareCodePoints(a.id, b.id)
}

/** Collections whose documents other systems report in batches. The change log lists the batches, not the documents. */
const reportedCollections: readonly string[] = ['deployment']

/** Returns the changes of documents that an entry of the change log lists. */
export function changesOfEntry({ at, id, body }: Sample): { readonly id: DocumentId; readonly change: PastChange }[] {
  const { changes, removed = [], unlisted = [] } = body as ChangeLogEntry
  const changed = changes.flatMap(({ kind, resource, document = resource, patch, inverse, members, withheld }) => {
    const documentId = members || reportedCollections.includes(kind) ? undefined : documentIdOf(kind, document)
    return documentId ? [{ id: documentId, change: { at, id, ...resultOf(patch), inverse, withheld } }] : []
  })
  const deleted = removed.flatMap(({ kind, document, body: value, withheld }) => {
    const documentId = documentIdOf(kind, document)
    const inverse: readonly JsonChange[] = [{ op: 'add', path: '', value }]
    const change = { at, id, version: undefined, creates: false, inverse, withheld }
    return documentId ? [{ id: documentId, change }] : []
  })
  const others = unlisted.flatMap(({ kind, document, version, inverse }) => {
    const documentId = documentIdOf(kind, document)
    const change = { at, id, version, creates: !inverse, inverse: inverse ?? [{ op: 'remove' as const, path: '' }] }
    return documentId ? [{ id: documentId, change }] : []
  })
  return [...changed, ...deleted, ...others]
}

function documentIdOf(collection: string, address: string): DocumentId | undefined {
  const key = parseAddress(address)?.at(-1)?.key
  return key === undefined
    ? undefined
    : { collection, scope: address.slice(0, Math.max(address.lastIndexOf(':'), 0)), key }
}

function resultOf(patch: readonly JsonChange[]): Pick<PastChange, 'version' | 'creates'> {
  const [first] = patch
  if (first?.path !== '') {
    const version = patch.find(({ path }) => path === '/version')
    return { version: version && 'value' in version ? Number(version.value) : 0, creates: false }
  }
  if (first.op === 'remove') return { version: undefined, creates: false }
  return { version: (first.value as Versioned).version, creates: true }
}

/** Returns the names of the secrets that a document lacks because its deletion is undone. */
export function withheldBy(changes: readonly PastChange[]): readonly string[] {
  return changes.findLast(({ version }) => version === undefined)?.withheld ?? []
}

/** The result of undoing changes; `ok` is false when the changes do not lead back to an earlier state. */
export type UndoneChanges = { readonly ok: true; readonly document: Versioned | undefined } | { readonly ok: false }

/**
 * Undoes changes of a document.
 *
 * @param current the stored document, which may be older than the newest of the changes, because it was read before.
 * @param changes all changes since the requested moment, newest first.
 */
export function undoChanges(current: Versioned | undefined, changes: readonly PastChange[]): UndoneChanges {
  if (changes.length === 0) return { ok: true, document: current }
  if (changes.at(-1)?.creates) return { ok: true, document: undefined }
  // A deletion contains the whole document, so later changes do not matter.
  const deletion = changes.findLastIndex(({ version }) => version === undefined)
  const contained = changes[deletion]
  const start = contained ? applyChanges(undefined, contained.inverse) : { ok: true as const, value: current }
  // Casts: the patches apply to documents, so their result is a document.
  const document = (start.ok ? start.value : undefined) as Versioned | undefined
  const later = changes.slice(deletion + 1)
  if (!document) return { ok: later.length === 0 && start.ok, document }
  const read = later.findIndex(({ version = 0 }) => version <= document.version)
  if (read < 0) return { ok: true, document }
  return restored(document, later.slice(read))
}

/**
 * Applies the inverses of changes, newest first. When inverses replace a whole property, only the inverse of the oldest
 * change has an effect. The others are mostly skipped, so that the time depends little on the number of changes.
 */
function restored(document: Versioned, changes: readonly PastChange[]): UndoneChanges {
  const properties: Record<string, unknown> = { ...document }
  const replaced = new Set<string>()
  const parts: JsonChange[][] = []
  for (const { inverse } of changes.toReversed()) {
    const nested: JsonChange[] = []
    for (const change of inverse) {
      const end = change.path.indexOf('/', 1)
      const token = change.path.slice(1, end < 0 ? undefined : end)
      if (replaced.has(token)) continue
      if (end >= 0) nested.push(change)
      else {
        replaced.add(token)
        if (change.op === 'remove') delete properties[parseToken(token)]
        else properties[parseToken(token)] = change.value
      }
    }
    if (nested.length > 0) parts.push(nested)
  }
  const result = applyChanges(properties, parts.reverse().flat())
  // Cast: the changes are those of the document.
  return result.ok ? { ok: true, document: result.value as Versioned } : { ok: false }
}
