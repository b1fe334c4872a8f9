import type { SnapshotReaderOptions } from './rules/snapshots/snapshot-reader.ts'

/**
 * Reads a snapshot over HTTP, for the option `read` of `snapshotReader`. A server that sends an `ETag` sends an
 * unchanged snapshot only once.
 *
 * @param url where `engine.snapshot` put the snapshot, e.g. at a CDN.
 * @returns a function that resolves with null for 404, and rejects for any other status that is not a success.
 */
export function snapshotFrom(url: string | URL): SnapshotReaderOptions['read'] {
  let etag: string | null = null
  return async () => {
    const response = await fetch(url, { headers: etag === null ? {} : { 'if-none-match': etag } })
    if (response.status === 304) return undefined
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`the snapshot at ${url} cannot be read: status ${response.status}`)
    const bytes = await response.arrayBuffer()
    etag = response.headers.get('etag')
    return bytes
  }
}
