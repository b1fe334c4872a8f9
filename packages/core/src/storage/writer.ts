import type { Sentence } from '../rules/sentences/sentence.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { Documents, KeySets, Keys, Queue, Series, Versioned } from './collection.ts'
import type { Condition, Sample, TakenTask, Task } from './port.ts'
import type { ListOptions, ListResult, ListScope, Reader, Row, ScopeKeys } from './reader.ts'

/**
 * The writes of a handler, typed by collection. They are collected, and committed together when the handler ends. Reads
 * return committed data; `get` also returns the writes of this unit.
 */
export interface Writer extends Reader {
  /**
   * Adds a document; its version is 1.
   *
   * @param onExists called when the document exists already; it throws, which ends the operation.
   */
  insert<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: Omit<T, 'version'>,
    onExists?: () => never,
  ): T
  /**
   * Replaces a document by a changed one; the caller needs the action of each property that differs
   * (docs/decisions/0002-decide-access-by-policy.md#d17-actions). Nothing is written when only internal state differs.
   * A `before` of version 0 is a default that is not stored yet.
   *
   * @returns the document as it will be stored.
   */
  replace<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    before: T,
    after: T,
    otherwise?: ReplaceOptions<T>,
  ): T
  /** Replaces a document as a consequence of another change, for which the caller needs no action. */
  follow<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T, after: T): T
  /**
   * Reads documents from the storage, even if a cache has them, or the unit has read them from a cache. Required for
   * decisions that depend on the absence of a document, because a commit checks only documents that exist.
   */
  getManyCurrent<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: readonly Keys<A>[],
  ): Promise<(T | undefined)[]>
  /** Lists rows of documents from the storage, as `getManyCurrent` reads documents, without the writes of the unit. */
  listCurrentRows<T extends Versioned, A extends string, const Options extends ListOptions>(
    collection: Documents<T, A>,
    scope: ListScope<A, Options>,
    options: Options,
  ): Promise<ListResult<Row>>
  /**
   * Requires that no document with this address is stored when the unit is committed, including one that another call
   * inserts until then. The unit must not write the document itself.
   *
   * @param onExists called when the document exists; it throws, which ends the operation.
   */
  requireAbsent<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    onExists: () => never,
  ): void
  /**
   * Writes a document without a change, unless the unit writes it already. Its version increases, so that a concurrent
   * deletion of the document conflicts with this unit. The change log does not list it.
   *
   * @param document as it was read.
   * @returns the document as it will be stored.
   */
  touch<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, document: T): T
  /**
   * Inserts and replaces many documents that other systems report, like `insert` and `follow` for one document. The
   * change log does not list them, so the handler must call `note`. Each document may occur once.
   *
   * @returns the documents that are new or differ, in their order.
   */
  ingest<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    documents: readonly IngestedDocument<T, A>[],
  ): readonly IngestedDocument<T, A>[]
  remove<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T): void
  /** Adds a document that callers cannot change, unless it exists. For the change log, the handler calls `note`. */
  ensure<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: Omit<T, 'version'>,
  ): void
  /** Removes a document that callers cannot change, if it exists. */
  discard<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>): void
  /**
   * Removes, at the moment of the commit, every document at and under a scope that meets all conditions and that
   * callers cannot change. This includes documents that other calls add until then, which a list could not have
   * returned.
   *
   * @param scope inner levels of the address may be left out.
   */
  discardAll<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    scope: Partial<ScopeKeys<A>>,
    where: readonly Condition[],
  ): void
  /** Adds a change of a set to the change log entry. It is for sets that are not stored in a document. */
  note<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
    membership: Membership,
  ): void
  /** Makes the commit fail unless the document still has the version of `seen`. */
  expect<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, seen: Versioned): void
  /** Removes every record that is stored under an address, such as `proj/web:env/production`. */
  clear(address: string): void

  /**
   * Sets the sentences with which the change log describes the change of a document. They replace the sentences that
   * are derived from its changed properties. They are used only if the unit writes the document.
   *
   * @param except properties about which the derived sentences are used as well.
   */
  describe<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    sentences: readonly Sentence[],
    except?: readonly (keyof T & string)[],
  ): void

  addKeys<A extends string>(set: KeySets<A>, keys: Keys<A>, elements: readonly string[]): Tally
  removeKeys<A extends string>(set: KeySets<A>, keys: Keys<A>, elements: readonly string[]): Tally
  /** Moves all keys of a set to another one. With `replace`, the other set has only these keys afterwards. */
  moveKeys<A extends string, B extends string>(
    from: KeySets<A>,
    fromKeys: Keys<A>,
    into: KeySets<B>,
    intoKeys: Keys<B>,
    options?: { readonly replace?: boolean },
  ): Tally
  append<A extends string>(series: Series<A>, keys: Keys<A>, samples: readonly Sample[]): Tally
  /** Removes samples by their ids, where they exist; the same unit may append them again, changed. */
  deleteSamples<A extends string>(series: Series<A>, keys: Keys<A>, ids: readonly string[]): Tally
  /** Removes samples that are older than a time (integer ms, UTC). */
  trim<A extends string>(series: Series<A>, keys: Keys<A>, before: number): Tally

  /** Adds the tasks that are not waiting already. */
  enqueue<A extends string>(queue: Queue<A>, keys: Keys<A>, tasks: readonly Task[]): Tally
  /** Removes a task, because this unit does its work or the work is no longer needed. */
  finish<A extends string>(queue: Queue<A>, keys: Keys<A>, task: { readonly id: string; readonly takes?: number }): void
  /** Ends the lease of a task, which can be taken again from `due` on (integer ms, UTC). Fails as `finish` does. */
  postpone<A extends string>(queue: Queue<A>, keys: Keys<A>, task: TakenTask, next: Pick<Task, 'due' | 'body'>): void

  /**
   * Commits a separate unit of work immediately, before this unit, for a stream that does not fit in memory. The
   * separate unit may write only documents that no response shows, and that no caller changes, before this unit refers
   * to them. See docs/decisions/0013-stage-long-uploads-before-the-commit.md.
   *
   * @throws Error when it writes documents that callers change, which is a defect of the operation.
   */
  stage<R>(work: (tx: Writer) => R | Promise<R>, options: StageOptions): Promise<R>
}

/** A document before the ingestion, undefined when it did not exist, and after it. */
export interface IngestedDocument<T extends Versioned, A extends string> {
  readonly keys: Keys<A>
  readonly before: T | undefined
  readonly after: Omit<T, 'version'>
}

export interface StageOptions {
  /** Ends the operation when the commit of the staged unit is refused. */
  refused(): never
  /** Undoes the staged unit, in another unit, when the operation fails after the staged commit. */
  readonly undo?: (tx: Writer) => void | Promise<void>
}

/**
 * Keys that were added to a set of a resource, or removed from it; keys whose membership did not change may be listed.
 */
export interface Membership {
  /** Name of the set in the change log, e.g. `flags`. */
  readonly set: string
  /** The action that the change needs. Default: the first one of the operation. */
  readonly action?: Action
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

export interface NotedMembership extends Membership {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  readonly document: Versioned
}

/** Removes documents by key, by condition, or all at and under a scope. */
export type Removal =
  | {
      readonly kind: 'one'
      readonly collection: Documents<Versioned>
      readonly keys: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'matching'
      readonly collection: Documents<Versioned>
      readonly scope: string
      readonly where: readonly Condition[]
    }
  | { readonly kind: 'scope'; readonly scope: string }

export interface ReplaceOptions<T> {
  /**
   * Document that the caller has read in place of `before`, when the two differ only because time has passed. The
   * rights of the caller are checked on the differences from this document. Default: `before`.
   */
  readonly seen?: T
  /**
   * True when the caller needs no action, because the handler found that the change concerns the caller alone. The
   * change log still names the actions. Default false.
   */
  readonly concernsCaller?: boolean
}

/** Sentences about a document, and the properties that they do not cover. */
export interface DocumentDescription {
  readonly sentences: readonly Sentence[]
  readonly except: readonly string[]
}

/** The number of records that a bulk change added or removed; known once the unit is committed. */
export interface Tally {
  count: number
}
