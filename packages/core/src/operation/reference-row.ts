import type { WrittenDocument } from '../storage/changed-document.ts'
import type { Documents, Keys, StoredCollection, Versioned } from '../storage/collection.ts'
import type { Condition } from '../storage/port.ts'
import type { Reader } from '../storage/reader.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { WriteContext } from './context.ts'

/**
 * Effect of the deletion of a document on a reference to it
 * (docs/decisions/0051-refuse-to-delete-what-is-referred-to.md).
 */
export type DeletionRule =
  /** The deletion fails with 409. With `detach=true` it also removes the reference, with the rights of the caller. */
  | 'refuse'
  /** The deletion also removes the reference, for which the caller needs no right. */
  | 'detach'
  /** The deletion also removes the document that contains the reference. */
  | 'remove'
  /** The reference stays: it records the past, or names something outside of the account. */
  | 'record'

/**
 * One row of the table of references: a property of the documents of one collection that contains keys of documents of
 * another. Functions are declared as methods, so that every row is a {@link ReferenceRow}.
 */
export interface ReferenceRow<
  F extends Versioned = Versioned,
  FA extends string = string,
  T extends Versioned = Versioned,
  TA extends string = string,
> {
  /** The collection of the referrers. */
  readonly from: Documents<F, FA>
  /** The property that contains the reference, e.g. `grant.customRoles`. */
  readonly property: string
  /** Further properties with references to the same collection. Default: no further properties. */
  readonly otherProperties?: readonly string[]
  /** Further properties that decide whether there is a reference, such as a state. Default: no further properties. */
  readonly dependsOn?: readonly string[]
  readonly to: Documents<T, TA>
  readonly rule: DeletionRule
  /** The reason for the rule, as a sentence for the documentation. */
  readonly why?: string
  /** Returns the keys of the documents that a referrer refers to. Required except for the rule `record`. */
  targets?(referrer: F, keys: Keys<FA>): readonly Keys<TA>[]
  /**
   * Returns conditions that every referrer of a target meets. Default: no conditions, so that all documents in the
   * scope are read. With the rule `remove`, every document that meets the conditions is removed; without conditions,
   * the operation that deletes the target removes the referrers itself.
   */
  where?(target: Keys<TA>): readonly Condition[]
  /** Returns keys from an index that include the keys of all referrers. Default: the referrers are found by `where`. */
  candidates?(tx: Reader, target: Keys<TA>): Promise<readonly Keys<FA>[]>
  /** Returns a referrer without the reference; undefined when the referrer cannot exist without the reference. */
  withoutReference?(referrer: F, target: Keys<TA>): F | undefined
  /** The action that a caller needs to delete a referrer that cannot exist without the reference. */
  readonly deleteAction?: Action
  /**
   * Writes a changed referrer, where that takes more than replacing or removing the document.
   *
   * @param after the result of `withoutReference`.
   */
  save?(context: WriteContext, change: ReferrerChange<F, FA, TA>): Promise<void>
  /**
   * True when documents of earlier versions may contain references to documents that were deleted. Such references are
   * removed when a document with the same key is created.
   */
  readonly leftBehind?: boolean
  /**
   * True when a new reference is not checked at the commit, because the operation checks it and the target's id is
   * never used again, or because the reference may name something that does not exist. Default: the target must exist,
   * and is written, so that a concurrent deletion conflicts.
   */
  readonly unchecked?: boolean
}

/** A change of a referrer that a deletion makes. */
export interface SavedChange<F extends Versioned, FA extends string> {
  readonly keys: Keys<FA>
  readonly before: F
  /** The referrer after the change; undefined when it is deleted. */
  readonly after: F | undefined
}

/** A change of a referrer, with the keys of the deleted document. */
interface ReferrerChange<F extends Versioned, FA extends string, TA extends string> extends SavedChange<F, FA> {
  readonly target: Keys<TA>
}

/** Declares a row, with the types of its two collections. */
export function referenceRow<F extends Versioned, FA extends string, T extends Versioned, TA extends string>(
  row: ReferenceRow<F, FA, T, TA>,
): ReferenceRow {
  return row
}

/**
 * Returns true when the caller may view a document that refers to another one. The error of a refused deletion names
 * only visible referrers and counts the others.
 */
export type MayView = (
  context: WriteContext,
  collection: StoredCollection,
  keys: Keys<string>,
  document: Versioned,
) => Promise<boolean>

/** The rows of all resources, by the names of their collections. */
export interface ReferenceTable {
  readonly rows: readonly ReferenceRow[]
  readonly mayView: MayView
  /**
   * Returns the rows whose references a written document can add. These are rows with a property that the write
   * changes.
   */
  addedBy(written: WrittenDocument): readonly ReferenceRow[]
  /** Returns true when the check of references depends on a written document. */
  concerns(written: WrittenDocument): boolean
  /** Returns the rows whose targets are in a collection. */
  to(collection: StoredCollection): readonly ReferenceRow[]
}

/** Makes a table of rows. */
export function referenceTable(rows: readonly ReferenceRow[], mayView: MayView): ReferenceTable {
  const from = byName(rows, 'from')
  const to = byName(rows, 'to')
  const roots = new Map(rows.map((row) => [row, rootsOf(row)]))
  const addedBy = (written: WrittenDocument) => {
    const { collection, before, after } = written
    const referenceRows = after ? from.get(collection.name) : undefined
    if (!referenceRows || !before) return referenceRows ?? []
    const names = written.changedProperties()
    return referenceRows.filter((row) => roots.get(row)?.some((name) => names.includes(name)))
  }
  return {
    rows,
    mayView,
    addedBy,
    concerns: (written) => !written.before || !written.after || addedBy(written).length > 0,
    to: ({ name }) => to.get(name) ?? [],
  }
}

/** Returns the names of the properties of a document from which a row reads references. */
export function rootsOf({ property, otherProperties = [], dependsOn = [] }: ReferenceRow): readonly string[] {
  return [property, ...otherProperties, ...dependsOn].map((path) => path.replace(/\..*$/, ''))
}

function byName(rows: readonly ReferenceRow[], end: 'from' | 'to'): ReadonlyMap<string, readonly ReferenceRow[]> {
  const names = new Set(rows.map((row) => row[end].name))
  return new Map([...names].map((name) => [name, rows.filter((row) => row[end].name === name)]))
}
