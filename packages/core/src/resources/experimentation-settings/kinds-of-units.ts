import { type ContextKind, contextKinds, defaultUserKind } from '../../models/context-kinds/context-kind.ts'
import type { RandomizationUnit } from '../../models/experimentation-settings/experimentation-settings.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Reader } from '../../storage/reader.ts'

/** Reads the context kinds of units in one batch. Kinds that are not stored are omitted. */
export async function storedKindsOf(
  tx: Reader,
  projectKey: string,
  units: readonly Pick<RandomizationUnit, 'randomizationUnit'>[],
): Promise<ContextKind[]> {
  const keys = [...new Set(units.map(({ randomizationUnit }) => randomizationUnit))]
  const storedKinds = await tx.getMany(
    contextKinds,
    keys.map((key) => ({ projectKey, key })),
  )
  return storedKinds.filter((kind) => kind !== undefined)
}

/**
 * Returns the kinds by key, including `user` when it is not stored.
 *
 * @param createdAt time of creation of the project.
 */
export function kindsByKey(stored: readonly ContextKind[], createdAt: number): ReadonlyMap<string, ContextKind> {
  const user: [string, ContextKind] = [userKind, defaultUserKind(createdAt)]
  return new Map([user, ...stored.map((kind): [string, ContextKind] => [kind.key, kind])])
}
