import type { PageContext } from './flag-loader.ts'
import { contextUrl, type FlagService } from './flag-service.ts'

/** The part of the platform's `EventSource` that a provider uses. */
export type EventSourceConstructor = new (
  url: string,
) => {
  addEventListener(type: string, listener: () => void): void
  close(): void
}

/** Messages of the stream: all values, sent first and after an interruption; one changed value; one removed flag. */
const messageTypes = ['put', 'patch', 'delete'] as const

/**
 * Opens a stream of the values of a context, and calls a listener for each message. The platform opens an interrupted stream
 * again.
 *
 * @returns a function that closes the stream.
 */
export function openChangeStream(
  EventSource: EventSourceConstructor,
  service: FlagService,
  { context, hash }: PageContext,
  onMessage: () => void,
): () => void {
  const source = new EventSource(contextUrl(service, '/eval/{environment}/{context}', context, hash))
  for (const type of messageTypes) source.addEventListener(type, onMessage)
  return () => source.close()
}
