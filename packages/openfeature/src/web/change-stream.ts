import { type EvaluatedFlags, evaluatedFlags } from './evaluated-flags.ts'
import { contextUrl, type FlagService, type PageContext } from './flag-service.ts'

/** The part of the platform's `EventSource` that a provider uses. */
export type EventSourceConstructor = new (
  url: string,
) => {
  addEventListener(type: string, listener: (event: Event) => void): void
  close(): void
}

/** Messages of the stream: all values, sent first and after each change; one changed value; one removed flag. */
const messageTypes = ['put', 'patch', 'delete'] as const

/**
 * Opens a stream of the values of a context, and calls a listener for each message. The platform opens an interrupted
 * stream again.
 *
 * @param onMessage called with all flags, or with undefined after a message that does not contain all of them.
 * @returns a function that closes the stream.
 */
export function openChangeStream(
  EventSource: EventSourceConstructor,
  service: FlagService,
  { context, hash }: PageContext,
  onMessage: (flags: EvaluatedFlags | undefined) => void,
): () => void {
  const source = new EventSource(contextUrl(service, '/eval/{environment}/{context}', { context, hash }))
  for (const type of messageTypes) {
    source.addEventListener(type, (event) => onMessage(type === 'put' ? flagsIn(event) : undefined))
  }
  return () => source.close()
}

/** Returns the flags of a message, or undefined when it has another form. */
function flagsIn(event: Event): EvaluatedFlags | undefined {
  try {
    return evaluatedFlags(JSON.parse('data' in event ? String(event.data) : ''))
  } catch {
    return undefined
  }
}
