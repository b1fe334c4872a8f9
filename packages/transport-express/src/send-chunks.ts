import type { ServerResponse } from 'node:http'
import type { EngineResponse } from '@halyard/core'

/**
 * Sends a response that is produced in chunks, each requested when the connection can accept it. When producing fails,
 * the connection is closed, so that the caller detects it; the engine has logged the error. A caller that closes the
 * connection is not an error.
 */
export async function sendChunks(
  res: ServerResponse,
  { status, headers }: EngineResponse,
  chunks: AsyncIterable<string>,
): Promise<void> {
  if (res.destroyed || res.headersSent) return
  res.writeHead(status, headers)
  // Imported when a response is streamed, so that a bundle with this handler also loads where there is no
  // `node:stream`.
  const [{ Readable }, { pipeline }] = await Promise.all([import('node:stream'), import('node:stream/promises')])
  await pipeline(Readable.from(chunks), res).catch(() => res.destroy())
}
