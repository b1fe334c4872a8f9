import { bigIncluded, type Segment, type SegmentKeys } from '../../../models/segments/segment.ts'
import { documents, type Versioned } from '../../../storage/collection.ts'
import type { Reader } from '../../../storage/reader.ts'

/** An export of the keys of a big segment. Its file can be read while the keys are unchanged. */
export interface SegmentExport extends Versioned {
  readonly id: string
  /** Size of the file in bytes. */
  readonly size: number
  /** The member who first requested the export. */
  readonly memberId?: string
  readonly createdAt: number
}

export const segmentExports = documents<SegmentExport>()({
  name: 'segment-export',
  address: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}:export/{exportId}',
})

/**
 * Returns an id that is derived from the exported state, so that repeated exports of the same state are stored once.
 */
export function exportIdOf({ id, bigIncluded: list }: Segment): string {
  return `${id}-${list?.revision ?? 0}`
}

const pageSize = 10_000

/** Yields the included keys of a segment by code point, page by page. Yields at least one page, which may be empty. */
export async function* pagesOfKeys(tx: Reader, keys: SegmentKeys): AsyncGenerator<readonly string[]> {
  let page = await tx.pageKeys(bigIncluded, keys, { limit: pageSize })
  yield page
  while (page.length === pageSize) {
    page = await tx.pageKeys(bigIncluded, keys, { after: page.at(-1), limit: pageSize })
    if (page.length > 0) yield page
  }
}
