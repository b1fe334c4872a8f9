import { jsonEqual } from '../rules/json-equal.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { ChangeActions, Documents, PartActions, Versioned } from './collection.ts'
import { DocumentMap } from './document-map.ts'
import type { DocumentId } from './port.ts'

/** A replaced document and the actions that the caller needs for the change. */
export interface ChangedDocument {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  readonly before: Versioned
  /** The document as the caller read it. It can differ from `before`, but only because time has passed. */
  readonly seen: Versioned
  readonly actions: readonly Action[]
  /** True when the caller needs no action for the change, because it concerns the caller alone. */
  readonly concernsCaller: boolean
}

/**
 * Returns the actions that a change of a document needs (docs/decisions/0002-decide-access-by-policy.md#d17-actions),
 * or undefined when only internal state differs.
 *
 * @param seen the document as the caller read it. It can differ from `before`, but only because time has passed.
 */
export function actionsToChange<T extends Versioned, A extends string>(
  { changes }: Pick<Documents<T, A>, 'changes'>,
  seen: T,
  before: T,
  after: T,
): readonly Action[] | undefined {
  const differing = differingProperties(seen, after)
  const actions = changes ? actionsFor(changes, differing, before, after) : []
  return differing.length === 0 || (changes && actions.length === 0) ? undefined : actions
}

/** Returns true when two documents are equal apart from their versions. */
export function isSame(before: object, after: object): boolean {
  return differingProperties(before, after).length === 0
}

/** Returns the names of the properties that differ, except the version. */
export function differingProperties(before: object, after: object): string[] {
  if (before === after) return []
  const a = before as Record<string, unknown>
  const b = after as Record<string, unknown>
  const names = Object.keys(a).filter(
    (name) => a[name] !== b[name] && name !== 'version' && !jsonEqual(a[name], b[name]),
  )
  for (const name of Object.keys(b)) {
    if (!Object.hasOwn(a, name) && b[name] !== undefined && name !== 'version') names.push(name)
  }
  return names
}

function actionsFor<T extends Versioned>(
  changes: ChangeActions<T>,
  properties: readonly string[],
  before: T,
  after: T,
): Action[] {
  const actions = properties.flatMap((name): readonly Action[] => {
    const action: Action | null | PartActions<T> | undefined = changes[name as keyof ChangeActions<T>]
    if (action === null || action === undefined) return []
    return typeof action === 'string' ? [action] : action.of(before, after)
  })
  return [...new Set(actions)]
}

/** A document before and after a change. */
export interface BeforeAndAfter {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  /** Undefined when the document was not stored before. */
  readonly before: Versioned | undefined
  /** Undefined when the document is removed. */
  readonly after: Versioned | undefined
}

/**
 * The combined effect of a unit of work on one document.
 *
 * A class, so that a copy with another state is not one: the names of its changed properties would be wrong.
 */
export class WrittenDocument implements BeforeAndAfter {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  readonly before: Versioned | undefined
  readonly after: Versioned | undefined
  #changedProperties: readonly string[] | undefined

  constructor({ collection, keys, before, after }: BeforeAndAfter) {
    this.collection = collection
    this.keys = keys
    this.before = before
    this.after = after
  }

  /**
   * Returns the names of the properties that the unit changes, except the version. They are computed once, because
   * several rules and the change log need them. Empty when the document is created or deleted.
   */
  changedProperties(): readonly string[] {
    const { before, after } = this
    this.#changedProperties ??= before && after ? differingProperties(before, after) : []
    return this.#changedProperties
  }
}

/**
 * Returns the names of the properties in which a written document differs from `seen`, the document as the caller read
 * it. That document can differ from the stored one, because properties such as expiring targets change with time.
 */
export function changedSince(seen: Versioned, written: WrittenDocument): readonly string[] {
  return seen === written.before ? written.changedProperties() : differingProperties(seen, written.after ?? seen)
}

/** The documents that a unit of work writes; the change log entry is made from those that callers can change. */
export class WrittenDocuments {
  /**
   * Written documents that no caller changes directly, such as entries of indexes. The change log records these
   * documents, so that a past engine (`engine.at`) can find out when they were created.
   */
  readonly unlisted: WrittenDocument[] = []
  readonly #documents: WrittenDocument[] = []
  readonly #indexes = new DocumentMap<number>()

  add(id: DocumentId, written: BeforeAndAfter): void {
    if (!written.collection.changes) {
      if (written.collection.recorded && written.after) this.unlisted.push(new WrittenDocument(written))
      return
    }
    const index = this.#indexes.get(id)
    if (index === undefined) this.#indexes.set(id, this.#documents.push(new WrittenDocument(written)) - 1)
    else this.#documents[index] = new WrittenDocument({ ...written, before: this.#documents[index]?.before })
  }

  /**
   * Returns the changed documents in the order of their first write, without documents that were both inserted and
   * removed.
   */
  list(): readonly WrittenDocument[] {
    return this.#documents.filter(({ before, after }) => before || after)
  }
}
