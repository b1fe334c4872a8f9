import { type ContextKind, contextKinds, defaultUserKind } from '../../models/context-kinds/context-kind.ts'
import type { RandomizationUnit } from '../../models/experimentation-settings/experimentation-settings.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Reader } from '../../storage/reader.ts'

/** Looks up the context kinds of units in one question; those that are not stored are left out. */
export async function storedKindsOf(
  tx: Reader,
  projectKey: string,
  units: readonly Pick<RandomizationUnit, 'randomizationUnit'>[],
): Promise<ContextKind[]> {
  const keys = [...new Set(units.map(({ randomizationUnit }) => randomizationUnit))]
  const found = await tx.getMany(
    contextKinds,
    keys.map((key) => ({ projectKey, key })),
  )
  return found.filter((kind) => kind !== undefined)
}

/**
 * Kinds by key; `user` is there also where nobody changed it.
 *
 * @param createdAt when the project was made.
 */
export function kindsByKey(stored: readonly ContextKind[], createdAt: number): ReadonlyMap<string, ContextKind> {
  const user: [string, ContextKind] = [userKind, defaultUserKind(createdAt)]
  return new Map([user, ...stored.map((kind): [string, ContextKind] => [kind.key, kind])])
}
