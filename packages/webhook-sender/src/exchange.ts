import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { WebhookMessage } from '@halyard/core/webhooks'
import { hostOf } from './destination.ts'
import { codeOf } from './failure.ts'
import { readExcerpt } from './response-excerpt.ts'

export interface Exchange {
  readonly url: URL
  /**
   * The only addresses to which the exchange may connect. The first that accepts the connection receives the message.
   */
  readonly addresses: readonly string[]
  readonly message: Pick<WebhookMessage, 'headers' | 'body'>
  readonly signal: AbortSignal
  /** `request` of the module that has the protocol of the URL. */
  readonly startRequest: typeof request
  /** Pool of connections; false for a new connection that is not pooled. */
  readonly agent: Agent | false
  /** Certificates to trust instead of those that the platform trusts. */
  readonly ca: string | undefined
}

export interface WebhookResponse {
  readonly status: number
  readonly body: string
  readonly retryAfter?: string
}

/**
 * Posts a message. Retries once when a pooled connection turns out to be closed: no response has arrived on it, and
 * messages may arrive twice anyway.
 * @throws the error of the connection when no status line arrives, or the headers do not end.
 */
export async function exchange(input: Exchange): Promise<WebhookResponse> {
  const first = await attempt(input)
  if ('response' in first) return first.response
  if (!first.isStaleConnection) throw first.error
  const second = await attempt({ ...input, agent: false })
  if ('response' in second) return second.response
  throw second.error
}

type Attempt = { readonly response: WebhookResponse } | { readonly error: Error; readonly isStaleConnection: boolean }

function attempt({ url, addresses, message, signal, startRequest, agent, ca }: Exchange): Promise<Attempt> {
  const host = hostOf(url)
  return new Promise((resolve) => {
    let hasResponse = false
    const onResponse = async (response: IncomingMessage) => {
      hasResponse = true
      const { statusCode: status = 0, headers } = response
      const body = await readExcerpt(response)
      resolve({ response: { status, body, retryAfter: headers['retry-after'] } })
    }
    const request: ClientRequest = startRequest(
      {
        method: 'POST',
        protocol: url.protocol,
        host,
        port: url.port || undefined,
        path: url.pathname + url.search,
        // The last two headers are set here, and replace headers of the message with these names.
        headers: { ...message.headers, host: url.host, 'content-length': Buffer.byteLength(message.body) },
        maxHeaderSize: 16 * 1024,
        lookup: createLookup(addresses),
        // Name that the certificate must have, without a trailing dot. The name is empty for a host that is an address.
        servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
        ca,
        agent,
        signal,
      },
      (response) => void onResponse(response),
    )
    // An error after the headers ends the body; the response remains valid.
    const onEnd = (error: Error) => {
      if (hasResponse) return
      resolve({
        error,
        isStaleConnection: request.reusedSocket && !signal.aborted && /^(ECONNRESET|EPIPE)$/.test(codeOf(error)),
      })
    }
    request.on('error', onEnd)
    // When the receiver switches the protocol, the connection ends without an error.
    request.on('close', () => onEnd(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
    request.end(message.body)
  })
}

/**
 * Returns a lookup function that only returns the checked addresses, so a name that resolves to other addresses now has
 * no effect.
 */
function createLookup(addresses: readonly string[]): LookupFunction {
  const candidates = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, { all }, callback) => {
    const [first] = candidates
    queueMicrotask(() => (all || !first ? callback(null, candidates) : callback(null, first.address, first.family)))
  }
}
