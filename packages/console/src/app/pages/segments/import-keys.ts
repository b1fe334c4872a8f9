import { createClient } from '@halyard/client'
import { fetchAsPerson } from '../../api.ts'
import type { SegmentPlace } from '../../review/reviewed-change.ts'
import { basePath, versionHeader } from '../../server-settings.ts'

/** Adds the keys of a file to the included keys, or replaces the included keys by them. */
export type ImportMode = 'merge' | 'replace'

/**
 * Sends a file of keys to a big segment, in one commit.
 *
 * @param waitOnApprovals true keeps the keys until an approved change applies them.
 * @param onProgress receives the share of the file that was sent, from 0 to 1.
 */
export async function importKeys(
  { project, environment, segment }: SegmentPlace,
  file: File,
  { mode, waitOnApprovals }: { mode: ImportMode; waitOnApprovals: boolean },
  onProgress: (share: number) => void,
) {
  const { api } = createClient({
    baseUrl: `${location.origin}${basePath}`,
    headers: { [versionHeader]: 'beta' },
    // A second attempt would report its progress from the beginning.
    retries: 0,
    fetch: (request) => fetchAsPerson(request, sendWithProgress(onProgress)),
  })
  return api.createBigSegmentImport({
    projectKey: project,
    environmentKey: environment,
    segmentKey: segment,
    body: { file: await file.text(), filename: file.name, mode, waitOnApprovals },
  })
}

/** Returns a function like `fetch` that reports how much of the body was sent, which `fetch` itself cannot do. */
function sendWithProgress(onProgress: (share: number) => void): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await request.blob()
    return new Promise((resolve, reject) => {
      const exchange = new XMLHttpRequest()
      exchange.open(request.method, request.url)
      request.headers.forEach((value, name) => {
        exchange.setRequestHeader(name, value)
      })
      exchange.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
      exchange.onload = () => {
        const headers = { 'content-type': exchange.getResponseHeader('content-type') ?? '' }
        resolve(new Response(exchange.responseText, { status: exchange.status, headers }))
      }
      exchange.onerror = () => reject(new TypeError('the connection was lost'))
      exchange.onabort = () => reject(request.signal.reason)
      request.signal.addEventListener('abort', () => exchange.abort())
      exchange.send(body)
    })
  }
}
