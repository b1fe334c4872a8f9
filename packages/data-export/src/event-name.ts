import type { ExportedEvent } from '@halyard/core'

/**
 * Returns the name of an event, for systems where events have names. A custom event has its own name, and any other
 * event has the name of its kind.
 */
export function eventName(event: ExportedEvent): string {
  if (event.kind === 'custom') return event.key
  return event.kind === 'evaluation' ? 'Flag Evaluated' : 'Flag Configuration Changed'
}

/** Returns the properties of an event that its name, id and time do not contain. */
export function eventProperties(event: ExportedEvent): Readonly<Record<string, unknown>> {
  const { schemaVersion, id, time, ...properties } = event
  return properties
}
