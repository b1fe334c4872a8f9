import { parseAddress } from '../../rules/address.ts'
import type { StoredCollection, Versioned } from '../../storage/collection.ts'
import type { Operation } from '../operation.ts'
import type { UndoRules } from './undo-rules.ts'

/** A document that the change log names: its collection, its keys, and the rules by which its changes are undone. */
export interface LocatedDocument {
  readonly collection: StoredCollection
  readonly keys: Readonly<Record<string, string>>
  /** Rules by which changes of the document are undone; undefined when no operation of the engine declares rules. */
  readonly rules: UndoRules<Versioned, string> | undefined
}

/** The rules by which changes are undone, by collection. They are collected when a revert first needs them. */
export class UndoTable {
  readonly #operations: readonly Operation[]
  readonly collections: readonly StoredCollection[]
  #rules: ReadonlyMap<StoredCollection, UndoRules<Versioned, string>> | undefined

  constructor(operations: readonly Operation[], collections: readonly StoredCollection[]) {
    this.#operations = operations
    this.collections = collections
  }

  /** Returns the rules of a collection; undefined when no operation declares rules for it. */
  rulesOf(collection: StoredCollection): UndoRules<Versioned, string> | undefined {
    this.#rules ??= collectRules(this.#operations)
    return this.#rules.get(collection)
  }

  /** Finds a document by the name of its collection and its address in storage. */
  locate({ kind, document }: { readonly kind: string; readonly document: string }): LocatedDocument | undefined {
    const levels = parseAddress(document) ?? []
    const collection = this.collections.find(
      ({ name, address }) =>
        name === kind &&
        address.kinds.length === levels.length &&
        levels.every((level, i) => address.kinds[i] === level.kind),
    )
    if (!collection) return undefined
    const keys = collection.address.parameters.flatMap((parameter, i) =>
      parameter === undefined ? [] : [[parameter, levels[i]?.key ?? '']],
    )
    return { collection, keys: Object.fromEntries(keys), rules: this.rulesOf(collection) }
  }
}

/** Merges the declarations of all operations: each declares the part that its own handler implements. */
function collectRules(operations: readonly Operation[]): ReadonlyMap<StoredCollection, UndoRules<Versioned, string>> {
  const byCollection = new Map<StoredCollection, UndoRules<Versioned, string>>()
  for (const { undo = [] } of operations) {
    for (const { collection, rules } of undo) {
      byCollection.set(collection, { ...byCollection.get(collection), ...rules })
    }
  }
  return byCollection
}
