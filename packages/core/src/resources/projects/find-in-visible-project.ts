import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { findByIndex, type LocatedDocument } from '../../operation/find-by-index.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'

/**
 * Finds a document of a project that a path names by its last key alone, by way of its place; what is in a project that
 * the caller may not view is as good as not there.
 */
export async function findInVisibleProject<
  P extends Versioned,
  B extends string,
  T extends Versioned,
  A extends string,
>(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  places: Documents<P, B>,
  collection: Documents<T, A>,
  params: Keys<B>,
): Promise<LocatedDocument<T, A> | undefined> {
  const found = await findByIndex(context.tx, places, collection, params)
  if (!found) return undefined
  const { projectKey } = found.keys as { readonly projectKey: string }
  return (await context.allowed('viewProject', projects, { projectKey })) ? found : undefined
}
