import type { WrittenDocument } from '../storage/changed-document.ts'
import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from './approval-pass.ts'
import type { WriteContext } from './context.ts'

/** The parts of a request context that a guard needs, so that a dry run can provide them. */
export interface GuardContext extends Pick<WriteContext, 'tx' | 'hasCome'> {
  readonly pass: ApprovalPass
}

/** An action that a caller needs to commit a unit of work, in addition to the actions of its changes. */
export interface GuardAction {
  readonly action: Action
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  /** The document before the unit of work; undefined when the keys alone identify the resource. */
  readonly document?: Versioned | undefined
}

/**
 * Checks the writes of a unit of work before the commit. The pipeline calls it for every write of every operation and
 * of every task, so an operation cannot bypass it.
 *
 * @param written each document before and after the unit of work.
 * @returns the additional actions that the caller needs.
 * @throws ApiError when the unit must not be committed.
 */
export type CommitGuard = (
  context: GuardContext,
  written: readonly WrittenDocument[],
) => Promise<readonly GuardAction[]>

/**
 * A document before and after the unit of work. `before` is undefined when the document was not stored, `after` when it
 * is removed.
 */
export interface DocumentStates<T> {
  readonly before: T | undefined
  readonly after: T | undefined
}

/** The rule of a guard for the documents of one collection. */
export interface DocumentGuard {
  readonly collection: Documents<Versioned>
  /** The properties whose changes the guard checks, in addition to creations and deletions. Default: all. */
  readonly properties?: readonly string[] | undefined
  readonly check: (
    context: GuardContext,
    document: WrittenDocument,
    written: readonly WrittenDocument[],
  ) => Promise<readonly GuardAction[]>
}

/**
 * Declares the rule for the written documents of one collection.
 *
 * @param properties the properties whose changes the guard checks, in addition to creations and deletions. Default:
 *   all.
 */
export function documentGuard<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  check: (
    context: GuardContext,
    keys: Keys<A>,
    states: DocumentStates<T>,
    written: readonly WrittenDocument[],
  ) => Promise<readonly GuardAction[]>,
  properties?: readonly (keyof T & string)[],
): DocumentGuard {
  return {
    collection,
    properties,
    check: (context, document, written) => {
      // Cast: the type of `Writer` ensures that documents of this collection are written with its keys.
      const { keys, before, after } = document as WrittenDocument & { readonly keys: Keys<A> } & DocumentStates<T>
      return check(context, keys, { before, after }, written)
    },
  }
}

/** Combines the rules of all collections into one guard. A collection has at most one rule. */
export function commitGuard(guards: readonly DocumentGuard[]): CommitGuard {
  const guardsByCollection = new Map(guards.map((guard) => [guard.collection.name, guard]))
  return async (context, written) => {
    const actions: GuardAction[] = []
    // The documents are checked one after the other, so that the first document that needs an approval determines the
    // error.
    for (const document of written) {
      const guard = guardsByCollection.get(document.collection.name)
      if (guard && isChecked(guard, document)) actions.push(...(await guard.check(context, document, written)))
    }
    return actions
  }
}

function isChecked({ properties }: DocumentGuard, written: WrittenDocument): boolean {
  if (!properties || !written.before || !written.after) return true
  return written.changedProperties().some((name) => properties.includes(name))
}

/** Makes one guard of several, which run one after the other. */
export function allGuards(guards: readonly CommitGuard[]): CommitGuard {
  return async (context, written) => {
    const actions: GuardAction[] = []
    for (const guard of guards) actions.push(...(await guard(context, written)))
    return actions
  }
}

/** Returns a document before and after the unit of work, which may have left it unchanged. */
export async function documentStates<T extends Versioned, A extends string>(
  tx: Reader,
  written: readonly WrittenDocument[],
  collection: Documents<T, A>,
  keys: Keys<A>,
): Promise<DocumentStates<T>> {
  const { scope, key } = collection.id(keys)
  const writtenDocument = written.find((document) => {
    if (document.collection.name !== collection.name) return false
    const id = document.collection.id(document.keys)
    return id.scope === scope && id.key === key
  })
  // Cast: both are documents of this collection.
  if (writtenDocument) return writtenDocument as DocumentStates<T>
  const document = await tx.get(collection, keys)
  return { before: document, after: document }
}
