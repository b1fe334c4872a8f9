import { flags } from '../../models/flags/flag.ts'
import { segments } from '../../models/segments/segment.ts'
import type { ReadContext } from '../../operation/context.ts'
import type { LinkKind, LinkTarget } from './link-kind.ts'
import type { ResourceDetails } from './link-schema.ts'

/**
 * Returns the details of linked resources, with one storage request; undefined for a resource that was deleted
 * concurrently.
 */
export async function detailsOf(
  { tx, format }: Pick<ReadContext, 'tx' | 'format'>,
  kind: LinkKind,
  projectKey: string,
  targets: readonly LinkTarget[],
): Promise<(ResourceDetails | undefined)[]> {
  const documents =
    kind.type === 'flag'
      ? await tx.getMany(
          flags,
          targets.map(({ resourceKey }) => ({ projectKey, flagKey: resourceKey })),
        )
      : await tx.getMany(
          segments,
          targets.map(({ environmentKey = '', resourceKey }) => ({
            projectKey,
            environmentKey,
            segmentKey: resourceKey,
          })),
        )
  return documents.map((document) => {
    if (!document) return undefined
    const { key, name, description, tags, createdAt } = document
    const creationDate = format.time(createdAt)
    return { key, name, ...(description === undefined ? {} : { description }), tags, creationDate }
  })
}
