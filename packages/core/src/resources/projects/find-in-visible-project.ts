import { projects } from '../../models/projects/project.ts'
import type { ReadContext } from '../../operation/context.ts'
import { findByIndex, type LocatedDocument } from '../../operation/find-by-index.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'

/**
 * Finds a document of a project by its last key only, through an index. Returns undefined also when the caller may not
 * view the project of the document.
 */
export async function findInVisibleProject<
  P extends Versioned,
  B extends string,
  T extends Versioned,
  A extends string,
>(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  index: Documents<P, B>,
  collection: Documents<T, A>,
  params: Keys<B>,
): Promise<LocatedDocument<T, A> | undefined> {
  const match = await findByIndex(context.tx, index, collection, params)
  if (!match) return undefined
  const { projectKey } = match.keys as { readonly projectKey: string }
  return (await context.allowed('viewProject', projects, { projectKey })) ? match : undefined
}
