import { seenContexts } from '../../models/contexts/seen-context.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { SingleContext } from '../../rules/contexts/sighting.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/** Maximum number of contexts from which names and values of attributes are counted. */
const maxCountedContexts = 1_000

/** Reads the contexts of an environment that were seen last. */
export async function latestContexts(
  tx: Reader,
  { projectKey, environmentKey }: EnvironmentKeys,
  where: readonly Condition[],
): Promise<readonly SingleContext[]> {
  const { items } = await tx.list(
    seenContexts,
    { projectKey, environmentKey },
    { where, order: [{ field: 'lastSeen', type: 'number', descending: true }], limit: maxCountedContexts },
  )
  return items.map(({ context }) => context)
}

/** Counts items by kind: a map of kinds, each with the number of times that each item occurs. */
export class CountsByKind<Item> {
  readonly #counts = new Map<string, Map<string, { readonly item: Item; weight: number }>>()

  /** Counts an occurrence of an item. Items with the same name are counted together. */
  add(kind: string, name: string, item: Item): void {
    const ofKind = this.#counts.get(kind) ?? new Map()
    this.#counts.set(kind, ofKind)
    const counted = ofKind.get(name) ?? { item, weight: 0 }
    ofKind.set(name, counted)
    counted.weight++
  }

  /** Returns the kinds by name, each with at most `limit` items, the most frequent first. */
  list(limit: number): { readonly kind: string; readonly counted: readonly { item: Item; weight: number }[] }[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, ofKind]) => ({
        kind,
        counted: [...ofKind]
          .sort(([a, one], [b, other]) => other.weight - one.weight || (a < b ? -1 : 1))
          .slice(0, limit)
          .map(([, counted]) => counted),
      }))
  }
}
