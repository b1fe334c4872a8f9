import type { ViewLink } from '../../models/views/view-link.ts'
import type { Reader } from '../../storage/reader.ts'
import type { LinkTarget, ViewLinks } from './link-kind.ts'

/** Maximum number of links that are read before a request changes them: as many as its response lists. */
const maxListed = 100

/** Returns the first targets of a request, with their existing links. */
export async function existingLinks<Target extends LinkTarget>(
  tx: Reader,
  { kind, keys: view }: ViewLinks,
  targets: readonly Target[],
): Promise<{ readonly target: Target; readonly link: ViewLink | undefined }[]> {
  const first = targets.slice(0, maxListed)
  const links = await tx.getMany(
    kind.links,
    first.map((target) => ({ ...view, linkKey: kind.linkKey(target) })),
  )
  return first.map((target, index) => ({ target, link: links[index] }))
}
