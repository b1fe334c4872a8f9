import type { Documents, Keys, StoredCollection, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { Context } from '../context.ts'

/** Errors that undoing a change may end with. */
export type UndoError =
  | 'invalid_request'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'optimistic_locking_error'

export type UndoContext = Context<Writer, UndoError>

/** Input of a revert that is the same for all kinds of changes: a comment, and the request to bypass approval. */
export interface UndoOptions {
  readonly comment: string | undefined
  /** True when the caller requests to bypass approval. */
  readonly bypassRequiredApproval: boolean
  /** All documents that the revert writes. */
  readonly documents: readonly UndoneDocument[]
}

/**
 * A document that a revert writes, in its current state and in the state after the revert; undefined for a state in
 * which it does not exist.
 */
export interface UndoneDocument<T extends Versioned = Versioned> {
  readonly collection: StoredCollection
  readonly keys: Readonly<Record<string, string>>
  readonly current: T | undefined
  readonly wanted: T | undefined
}

/** A document that exists both now and after the revert. */
export interface UndoneUpdate<T, K> {
  readonly keys: K
  readonly current: T
  readonly wanted: T
}

/** Undoes changes of documents of several collections that belong together, such as a flag and its configurations. */
export interface UndoGroup {
  /** Writes all documents of the group that an entry changed. */
  write(context: UndoContext, documents: readonly UndoneDocument[], options: UndoOptions): Promise<void>
}

/**
 * The rules by which changes of the documents of a collection are undone. Operations declare them next to their
 * handlers, so that a revert follows the rules of the operations: the same rights, validations and consequences.
 */
export interface UndoRules<T extends Versioned, A extends string> {
  /** Reason why changes of these documents cannot be undone, as a clause. */
  readonly refused?: string
  /** Undoes all changes; the other functions are then not called. */
  readonly group?: UndoGroup
  /** Writes an earlier state of a document. Default: `replace`, with the right to each property. */
  update?(context: UndoContext, undone: UndoneUpdate<T, Keys<A>>, options: UndoOptions): Promise<void> | void
  /** Deletes a document that was created. Default: the document cannot be deleted. */
  remove?(context: UndoContext, keys: Keys<A>, current: T, options: UndoOptions): Promise<void>
  /** True when `remove` also undoes the other changes of the call that created the document. Default false. */
  readonly removesConsequences?: boolean
  /**
   * True when `remove` keeps the data under the address of the document, because the data belong to another document
   * with the same address. Default: the data are deleted with the document.
   */
  readonly keepsContents?: boolean
  /** The right to insert a deleted document again. Without it, no caller can insert the document again. */
  readonly create?: Action | undefined
  /**
   * Returns a document as it is to be stored again, after checking what it refers to. When the function runs, the
   * document and everything that was deleted with it are already inserted. Default: the document is stored as it was
   * before the deletion.
   */
  prepare?(context: UndoContext, keys: Keys<A>, document: T, options: UndoOptions): Promise<T> | T
  /**
   * Makes the changes that follow from inserting a document again; also called for a document that was deleted with
   * another one.
   */
  inserted?(context: UndoContext, keys: Keys<A>, document: T): Promise<void> | void
  /**
   * Returns the document that is assumed when no document is stored: the state before a first change, which is stored
   * as a new document. Default: a document that is not stored does not exist.
   */
  implied?(context: UndoContext, keys: Keys<A>): Promise<T | undefined>
  /**
   * Properties that no action changes, but that a revert must restore. Default: no properties, because most properties
   * without an action are computed from others, count changes, or are dates of changes.
   */
  readonly restores?: readonly (keyof T & string)[]
  /**
   * Lists of parts with an `id` in which the engine sets some properties again when it restores a part, such as the id
   * of its next task. Each function returns a part without these properties. Two parts count as equal when these
   * results are equal.
   */
  readonly renewed?: Readonly<Record<string, (part: object) => object>>
  /** Properties whose numbers are counts, which several changes can increase and decrease. Default: no properties. */
  readonly counts?: readonly (keyof T & string)[]
  /** Sets of keys, by the name that the change log gives them. */
  readonly sets?: Readonly<Record<string, UndoSet<T, A>>>
}

/** Undoes a change of a set of keys that belongs to a document. */
export interface UndoSet<T extends Versioned, A extends string> {
  /** Deletes keys that the call added, after checking that the set still contains them. */
  removeKeys(context: UndoContext, keys: Keys<A>, document: T, elements: readonly string[]): Promise<void>
  /** Checks the right to add keys again, and records it. The documents of the keys are inserted by the revert. */
  addKeys(context: UndoContext, keys: Keys<A>, document: T, elements: readonly string[]): Promise<void>
}

/** The rules of one collection, as an operation declares them. */
export interface UndoDeclaration {
  readonly collection: StoredCollection
  readonly rules: UndoRules<Versioned, string>
}

/**
 * Declares how changes of the documents of a collection are undone.
 *
 * @example
 * undo: [undoOf(projects, { update: requireDefaultPipeline })]
 */
export function undoOf<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  rules: UndoRules<T, A>,
): UndoDeclaration {
  // Cast: the rules are only called with documents and keys of this collection.
  return { collection, rules: rules as unknown as UndoRules<Versioned, string> }
}
