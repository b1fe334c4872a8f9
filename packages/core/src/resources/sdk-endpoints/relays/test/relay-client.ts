import type { Engine } from '../../../../index.ts'
import { engineRequest } from '../../../account/test/calls.ts'
import { eventsIn, type RelayEvent, relayStore } from './relay-store.ts'

/** A relay in this process. */
export interface RelayClient {
  readonly status: number
  /** The events that it received since its last connection, oldest first. */
  readonly events: readonly RelayEvent[]
  readonly store: ReturnType<typeof relayStore>
  /** Everything that the stream sent, with comments. */
  text(): string
  /** True until the engine ends or aborts the stream. */
  isOpen(): boolean
  /** Makes the connection accept no more bytes, like a relay that does not read. */
  stopReading(): void
  close(): void
}

/** Requests the stream of a relay. */
export function relayResponse(engine: Engine, key: string) {
  return engine.sdk.handle(engineRequest('GET', '/relay_auto_config', undefined, { authorization: key }))
}

/**
 * Connects a relay to an engine.
 *
 * @param store what the relay has stored in earlier connections. Default: nothing.
 */
export async function connectRelay(engine: Engine, key: string, store = relayStore()): Promise<RelayClient> {
  const response = await relayResponse(engine, key)
  const events: RelayEvent[] = []
  const decoder = new TextDecoder()
  let text = ''
  let unread = 0
  let isOpen = response?.live !== undefined
  let isReading = true
  const end = () => {
    isOpen = false
  }
  const close = response?.live?.({
    send(chunk) {
      if (!isReading) unread += chunk.byteLength
      const piece = decoder.decode(chunk)
      text += piece
      for (const event of eventsIn(piece)) {
        events.push(event)
        store.apply(event)
      }
    },
    backlog: () => unread,
    end,
    abort: end,
  })
  return {
    status: response?.status ?? 404,
    events,
    store,
    text: () => text,
    isOpen: () => isOpen,
    stopReading() {
      isReading = false
    },
    close: () => close?.(),
  }
}
