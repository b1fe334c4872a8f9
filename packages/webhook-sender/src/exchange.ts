import { type Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { WebhookMessage } from '@halyard/core/webhooks'
import { answerStart } from './answer-start.ts'
import { hostOf } from './destination.ts'
import { codeOf } from './failure.ts'

export interface Exchange {
  readonly url: URL
  /** The addresses to connect to, and no other. The first that takes the connection gets the message. */
  readonly addresses: readonly string[]
  readonly message: Pick<WebhookMessage, 'headers' | 'body'>
  readonly signal: AbortSignal
  /** Keeps connections; false for a fresh one that nobody keeps. */
  readonly agent: Agent | false
  /** Certificates to trust in place of those that the platform trusts. */
  readonly ca: string | undefined
}

export interface Answer {
  readonly status: number
  readonly body: string
  readonly retryAfter?: string
}

/**
 * Posts a message, once more where a kept connection turns out to be closed: nothing has come back on it, and a message
 * may arrive twice anyway.
 *
 * @throws the error of the connection where no status line comes, or the headers do not end.
 */
export async function exchange(input: Exchange): Promise<Answer> {
  const first = await attempt(input)
  if ('answer' in first) return first.answer
  if (!first.stale) throw first.error
  const second = await attempt({ ...input, agent: false })
  if ('answer' in second) return second.answer
  throw second.error
}

type Attempt = { readonly answer: Answer } | { readonly error: Error; readonly stale: boolean }

function attempt({ url, addresses, message, signal, agent, ca }: Exchange): Promise<Attempt> {
  const secure = url.protocol === 'https:'
  const host = hostOf(url)
  return new Promise((resolve) => {
    let hasAnswered = false
    const answered = async (response: IncomingMessage) => {
      hasAnswered = true
      const { statusCode: status = 0, headers } = response
      const body = await answerStart(response)
      resolve({ answer: { status, body, retryAfter: headers['retry-after'] } })
    }
    const request: ClientRequest = (secure ? requestSecure : requestPlain)(
      {
        method: 'POST',
        protocol: url.protocol,
        host,
        port: url.port || undefined,
        path: url.pathname + url.search,
        // The last two are ours, whatever the message says.
        headers: { ...message.headers, host: url.host, 'content-length': Buffer.byteLength(message.body) },
        maxHeaderSize: 16 * 1024,
        lookup: lookupOf(addresses),
        // The name that a certificate must have, which a full stop at the end is no part of. Addresses have none.
        servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
        ca,
        agent,
        signal,
      },
      (response) => void answered(response),
    )
    // What goes wrong behind the headers ends the body, and the answer stays one.
    const ended = (error: Error) => {
      if (hasAnswered) return
      resolve({ error, stale: request.reusedSocket && !signal.aborted && /^(ECONNRESET|EPIPE)$/.test(codeOf(error)) })
    }
    request.on('error', ended)
    // Where the receiver wants another protocol the connection ends without an error.
    request.on('close', () => ended(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
    request.end(message.body)
  })
}

/** Tells a socket the addresses that were checked. It asks nobody else, so a name that leads elsewhere by now gains nothing. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, { all }, callback) => {
    const [first] = found
    queueMicrotask(() => (all || !first ? callback(null, found) : callback(null, first.address, first.family)))
  }
}
