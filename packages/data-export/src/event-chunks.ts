import type { ExportedEvent, ExportOutcome } from '@halyard/core'
import type { ExportFailure } from './http-exchange.ts'

/** An event in the form that a destination receives. */
export interface EncodedEvent {
  readonly event: ExportedEvent
  readonly text: string
}

/** The limits of one request to a destination. */
export interface ChunkLimits {
  /** Maximum number of events. */
  readonly events: number
  /** Maximum size of all events, bytes of UTF-8. */
  readonly bytes: number
  /** Maximum size of one event, bytes of UTF-8. Default: `bytes`. */
  readonly eventBytes?: number
}

const encoder = new TextEncoder()

/**
 * Sends events in their order, in requests that respect the limits of the destination. Events that no request can
 * contain are omitted and counted.
 *
 * @param encode returns the text of an event, or undefined to leave it out.
 * @param send sends one request; it returns a failure, or the status of the response.
 */
export async function sendInChunks(
  events: readonly ExportedEvent[],
  limits: ChunkLimits,
  encode: (event: ExportedEvent) => string | undefined,
  send: (chunk: readonly EncodedEvent[]) => Promise<ExportFailure | number>,
): Promise<ExportOutcome> {
  const { chunks, skipped } = chunksOf(events, limits, encode)
  let status: number | undefined
  for (const chunk of chunks) {
    const result = await send(chunk)
    if (typeof result !== 'number') return result
    status = result
  }
  return { outcome: 'sent', ...(status === undefined ? {} : { status }), ...(skipped === 0 ? {} : { skipped }) }
}

function chunksOf(
  events: readonly ExportedEvent[],
  { events: maxEvents, bytes: maxBytes, eventBytes = maxBytes }: ChunkLimits,
  encode: (event: ExportedEvent) => string | undefined,
) {
  const chunks: EncodedEvent[][] = []
  let skipped = 0
  let bytes = 0
  for (const event of events) {
    const text = encode(event)
    const size = text === undefined ? Number.POSITIVE_INFINITY : encoder.encode(text).length
    if (text === undefined || size > eventBytes) {
      skipped++
      continue
    }
    const last = chunks.at(-1)
    if (!last || last.length >= maxEvents || bytes + size > maxBytes) {
      chunks.push([{ event, text }])
      bytes = size
    } else {
      last.push({ event, text })
      bytes += size
    }
  }
  return { chunks, skipped }
}
