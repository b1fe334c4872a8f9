import { type SegmentKeys, segments } from '../../../models/segments/segment.ts'
import type { Context } from '../../../operation/context.ts'
import { operation } from '../../../operation/operation.ts'
import { pieces } from '../../../operation/schema.ts'
import { keyFileHeading, keyFileLines } from '../../../rules/key-file/key-file.ts'
import type { Reader } from '../../../storage/reader.ts'
import { exportIdOf, pagesOfKeys, segmentExports } from './segment-export.ts'

export const getBigSegmentExportFile = operation({
  id: 'getBigSegmentExportFile',
  summary: 'Get the file of an export, with one key per line',
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/exports/{exportId}/file',
  success: { status: 200, body: pieces(), mediaType: 'text/csv' },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    if (!(await context.tx.get(segmentExports, params))) context.fail('not_found')
    const pages = unchangedPages(context, params, params.exportId)
    // The first page is read before the response starts, so that a failure becomes an error response and not a
    // truncated file.
    const first = await pages.next()
    return linesOf(first.value ?? [], pages)
  },
})

async function* linesOf(first: readonly string[], rest: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield keyFileHeading + keyFileLines(first)
  for await (const page of rest) yield keyFileLines(page)
}

/**
 * Yields each page after checking that the segment is unchanged since the export. A file therefore contains the keys of
 * one state, or breaks off.
 */
async function* unchangedPages(
  { tx, fail }: Context<Reader, 'optimistic_locking_error'>,
  keys: SegmentKeys,
  exportId: string,
): AsyncGenerator<readonly string[]> {
  for await (const page of pagesOfKeys(tx, keys)) {
    const segment = await tx.get(segments, keys)
    if (!segment || exportIdOf(segment) !== exportId) {
      fail('optimistic_locking_error', { message: 'The segment has changed since the export: create a new export' })
    }
    yield page
  }
}
