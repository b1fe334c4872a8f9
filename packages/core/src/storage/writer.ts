import type { Documents, Keys, Members, Queue, Series, Versioned } from './collection.ts'
import type { Condition, Sample, TakenTask, Task } from './port.ts'
import type { Reader, ScopeKeys } from './reader.ts'

/**
 * What a handler of a writing operation may do besides. Writes are collected and committed together when the
 * handler is done; reads show what was committed before, `get` also what this unit has written itself.
 */
export interface Writer extends Reader {
  /**
   * Adds a document; its version is 1.
   *
   * @param taken ends the operation when a document is there already.
   */
  insert<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: Omit<T, 'version'>,
    taken?: () => never,
  ): T
  /**
   * Replaces a document by a changed one; the caller needs the action of each member that differs (D17).
   * Where nothing but book-keeping differs nothing is written. A `before` of version 0 stands for a document that
   * is not stored yet because it still has its default.
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
  /** Like `replace`, for a change that follows from another one which the caller was allowed to make. */
  follow<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T, after: T): T
  /**
   * Adds and follows many documents that outside systems tell of, as `insert` and `follow` do one. The change log does
   * not tell of each: whoever feeds says by `note` what came. Each place is fed once.
   *
   * @returns those that differ from what was there, in their order.
   */
  feed<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    fed: readonly FedDocument<T, A>[],
  ): readonly FedDocument<T, A>[]
  remove<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, before: T): void
  /** Adds a document that nobody changes, unless it is there already. The change log is told of it by `note`. */
  ensure<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: Omit<T, 'version'>,
  ): void
  /** Removes a document that nobody changes, if it is there. */
  discard<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>): void
  /**
   * Removes, at the moment of the commit, every document that nobody changes, at and under a scope, for which all
   * conditions hold: also one that somebody adds until then, which a list could not have named.
   *
   * @param scope inner levels of the address may be left out.
   */
  discardAll<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    scope: Partial<ScopeKeys<A>>,
    where: readonly Condition[],
  ): void
  /** Tells the change log what came to a thing or left it where no document shows it. */
  note<T extends Versioned, A extends string>(
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
    membership: Membership,
  ): void
  /** Makes the whole unit fail unless this document still has the version that was seen when it commits. */
  expect<T extends Versioned, A extends string>(collection: Documents<T, A>, keys: Keys<A>, seen: Versioned): void
  /** Removes everything that lives under an address, such as `proj/web:env/production`. */
  clear(address: string): void

  addMembers<A extends string>(set: Members<A>, keys: Keys<A>, members: readonly string[]): Tally
  removeMembers<A extends string>(set: Members<A>, keys: Keys<A>, members: readonly string[]): Tally
  /** Empties a set into another one, which has them alone afterwards where `replace` says so. */
  moveMembers<A extends string, B extends string>(
    from: Members<A>,
    fromKeys: Keys<A>,
    into: Members<B>,
    intoKeys: Keys<B>,
    options?: { readonly replace?: boolean },
  ): Tally
  append<A extends string>(series: Series<A>, keys: Keys<A>, samples: readonly Sample[]): Tally
  /** Removes samples by their ids, as far as they are there; they may be appended again, changed, in the same unit. */
  withdraw<A extends string>(series: Series<A>, keys: Keys<A>, ids: readonly string[]): Tally
  /** Removes samples that are older than a time (integer ms, UTC). */
  trim<A extends string>(series: Series<A>, keys: Keys<A>, before: number): Tally

  /** Adds what is to be done later, unless it waits already. */
  enqueue<A extends string>(queue: Queue<A>, keys: Keys<A>, tasks: readonly Task[]): Tally
  /**
   * Removes a task: its work is done by this unit, or need not be done.
   *
   * @param task with `takes`, the unit fails where another process has taken it since, or it is gone.
   */
  finish<A extends string>(queue: Queue<A>, keys: Keys<A>, task: { readonly id: string; readonly takes?: number }): void
  /** Gives a task back, to be taken again at `due` (integer ms, UTC); fails as `finish` does. */
  postpone<A extends string>(queue: Queue<A>, keys: Keys<A>, task: TakenTask, again: Pick<Task, 'due' | 'body'>): void

  /**
   * Commits a unit of its own at once, long before this one: for what comes as a stream and is too long to be held. It
   * may write only what nobody is shown (nothing that callers change), until this unit makes it count.
   * See docs/decisions/0013-stage-long-uploads-before-the-commit.md.
   *
   * @throws Error when it writes what callers change: a defect of the card.
   */
  stage<R>(work: (tx: Writer) => R | Promise<R>, options: StageOptions): Promise<R>
}

/** A document as it was, undefined where there was none, and as it shall be. */
export interface FedDocument<T extends Versioned, A extends string> {
  readonly keys: Keys<A>
  readonly before: T | undefined
  readonly after: Omit<T, 'version'>
}

export interface StageOptions {
  /** Ends the operation when the staged unit is refused. */
  refused(): never
  /** Takes it back, in a unit of its own, when the operation fails in the end. */
  readonly undo?: (tx: Writer) => void | Promise<void>
}

/** Names that came to a set which a thing has, or left it; saying so of names that were there, or not, is no mistake. */
export interface Membership {
  /** What the set is called, e.g. `flags`. */
  readonly set: string
  /** The action that it needs, where that is not the first one of the operation. */
  readonly action?: string
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

export interface NotedMembership extends Membership {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  readonly document: Versioned
}

export interface ReplaceOptions<T> {
  /**
   * What the caller saw in place of `before`, where time alone has changed it: what differs from that is what the
   * caller changes. Default: `before`.
   */
  readonly seen?: T
  /** Actions that the change needs besides those of its members. */
  readonly besides?: readonly string[]
}

/** How many a bulk change really added or removed; known once the unit is committed. */
export interface Tally {
  count: number
}
