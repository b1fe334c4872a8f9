import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { EngineResponse } from '@halyard/core'

/**
 * Sends an answer that comes in pieces, each asked for when the connection takes it.
 *
 * One that fails on the way is broken off: the connection is cut, so that the caller sees it. What went wrong is in the
 * engine's log; a caller who hangs up is no error.
 */
export async function sendPieces(
  res: ServerResponse,
  { status, headers }: EngineResponse,
  pieces: AsyncIterable<string>,
): Promise<void> {
  if (res.destroyed || res.headersSent) return
  res.writeHead(status, headers)
  await pipeline(Readable.from(pieces), res).catch(() => res.destroy())
}
