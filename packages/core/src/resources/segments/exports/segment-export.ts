import { bigIncluded, type Segment, type SegmentKeys } from '../../../models/segments/segment.ts'
import { documents, type Versioned } from '../../../storage/collection.ts'
import type { Reader } from '../../../storage/reader.ts'

/** The keys of a big segment as they were at one moment, to be fetched as a file while they stay so. */
export interface SegmentExport extends Versioned {
  readonly id: string
  /** Length of the file, bytes. */
  readonly size: number
  /** The member who asked for it first. */
  readonly memberId?: string
  readonly createdAt: number
}

export const segmentExports = documents<SegmentExport>()({
  name: 'segment-export',
  address: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}:export/{exportId}',
})

/** Names what is exported, so that nothing is stored twice however often it is asked for. */
export function exportIdOf({ id, bigIncluded: list }: Segment): string {
  return `${id}-${list?.revision ?? 0}`
}

const pageSize = 10_000

/** The included keys of a segment by code point, page by page; at least one page, which may be empty. */
export async function* pagesOfKeys(tx: Reader, keys: SegmentKeys): AsyncGenerator<readonly string[]> {
  let page = await tx.pageKeys(bigIncluded, keys, { limit: pageSize })
  yield page
  while (page.length === pageSize) {
    page = await tx.pageKeys(bigIncluded, keys, { after: page.at(-1), limit: pageSize })
    if (page.length > 0) yield page
  }
}
