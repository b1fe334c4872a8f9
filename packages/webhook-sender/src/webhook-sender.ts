import { Agent, type AgentOptions, request } from 'node:http'
import { isPublicAddress, type Send, type WebhookMessage } from '@halyard/core/webhooks'
import { addressesOf, type Resolve, resolveWithSystem, webUrl } from './destination.ts'
import { type Exchange, exchange, type WebhookResponse } from './exchange.ts'
import { failureOf, type Reason, reasonOf, reasons } from './failure.ts'
import { raceWithSignal, timeLimit } from './time-limit.ts'

/** Options of `createWebhookSender`: allowed addresses, name resolution and trusted certificates. */
export interface WebhookSenderOptions {
  /** Allows loopback, private and other non-public addresses. Default: false. */
  readonly allowPrivate?: boolean
  /** Resolves host names. Default: as the operating system does. */
  readonly resolve?: Resolve
  /** Certificates in PEM to trust instead of those that the platform trusts. */
  readonly ca?: string
}

/** Time for which an idle connection stays open for the next message, ms. */
const idleMs = 5_000

/** Sends messages. `close` ends messages in progress and closes all connections. */
export type WebhookSender = Send & { close(): void }

/**
 * Creates a sender of webhook messages over `node:http` that does not connect to private networks
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks).
 *
 * It resolves the host name of a URL, rejects it unless all of its addresses are allowed, and connects to the address
 * that it has checked; the `Host` header and the name in the certificate are those of the URL. It follows no redirects.
 * A message counts as answered once the status line and headers have arrived. Connections stay open for a few seconds.
 *
 * @returns a function that does not reject for failures of the network. Its reasons are sentences that contain no
 *   addresses, and no part of the URL or the message.
 *
 * @example
 * ```ts
 * import { createEngine } from '@halyard/core'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { createWebhookSender } from '@halyard/webhook-sender'
 *
 * const send = createWebhookSender()
 * const engine = createEngine({ storage: createMemoryStorage(), webhooks: { send } })
 * console.log((await engine.readiness()).ready) // true
 * send.close()
 * ```
 */
export function createWebhookSender({
  allowPrivate = false,
  resolve = resolveWithSystem,
  ca,
}: WebhookSenderOptions = {}): WebhookSender {
  return createGuardedSender({ isAllowed: allowPrivate ? () => true : isPublicAddress, resolve, ca })
}

type Connections = Pick<Exchange, 'agent' | 'startRequest'> & { readonly agent: Agent }

/** Loads TLS, which a process that sends no message does not need. */
async function secureConnections(options: AgentOptions): Promise<Connections> {
  const https = await import('node:https')
  return { agent: new https.Agent(options), startRequest: https.request }
}

export interface AddressPolicy {
  isAllowed(address: string): boolean
  readonly resolve: Resolve
  readonly ca: string | undefined
}

/** Makes a sender that only connects to allowed addresses. */
export function createGuardedSender({ isAllowed, resolve, ca }: AddressPolicy): WebhookSender {
  const agentOptions = {
    keepAlive: true,
    scheduling: 'lifo',
    maxFreeSockets: 64,
    // Closes idle connections. A connection in use has the time limit of its message instead.
    timeout: idleMs,
    // If a host has several addresses, each has a second before the next one is tried concurrently.
    autoSelectFamilyAttemptTimeout: 1_000,
  } as const
  const plain: Connections = { agent: new Agent(agentOptions), startRequest: request }
  let secure: Promise<Connections> | undefined
  const closeController = new AbortController()

  async function deliver(message: WebhookMessage, signal: AbortSignal): Promise<WebhookResponse | Reason> {
    const url = webUrl(message.url)
    if (!url) return reasons.url
    // The list is copied, so that the checked addresses cannot change before connecting.
    const addresses = [...(await raceWithSignal(signal, addressesOf(url, resolve)).catch(() => []))]
    if (signal.aborted) return signal.reason
    if (addresses.length === 0) return reasons.name
    if (!addresses.every(isAllowed)) return reasons.address
    if (url.protocol === 'https:') secure ??= secureConnections(agentOptions)
    const connections = url.protocol === 'https:' && secure ? await secure : plain
    return exchange({ url, addresses, message, signal, ...connections, ca })
  }

  const send: Send = async (message) => {
    const started = performance.now()
    const limit = timeLimit(message.timeoutMs, [
      [message.signal, reasons.calledOff],
      [closeController.signal, reasons.closed],
    ])
    try {
      const result = await deliver(message, limit.signal)
      if (typeof result === 'string') return failureOf(result)
      return { outcome: 'answered', ...result, ms: Math.round(performance.now() - started) }
    } catch (error) {
      return failureOf(limit.signal.aborted ? limit.signal.reason : reasonOf(error))
    } finally {
      limit.end()
    }
  }

  return Object.assign(send, {
    close() {
      closeController.abort()
      plain.agent.destroy()
      void secure?.then(({ agent }) => agent.destroy())
    },
  })
}
