import type { Send, SendOutcome, WebhookMessage } from './operation/sender.ts'
import { platform } from './platform.ts'
import { parseHttpUrl } from './rules/http-url.ts'
import { isPrivateHost } from './rules/private-address.ts'

/** Characters of an answer that are kept. */
const mostAnswer = 1_024

/** What a sender over `fetch` may do. */
export interface FetchSenderOptions {
  /** Also sends to hosts that are private as they are written. Default false. */
  readonly allowPrivate?: boolean
}

/**
 * Makes a sender over the `fetch` of the runtime, for places that cannot reach a private network anyway, such as edge
 * runtimes: it refuses hosts that are private as they are written, but does not know what a name resolves to
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks).
 */
export function fetchSender({ allowPrivate = false }: FetchSenderOptions = {}): Send {
  return async (message) => {
    const url = parseHttpUrl(message.url)
    if (!url) return { outcome: 'failed', reason: 'The URL is no http or https URL.', refused: true }
    if (!allowPrivate && isPrivateHost(url.hostname)) {
      return { outcome: 'failed', reason: 'The URL leads to a private network.', refused: true }
    }
    return post(message)
  }
}

async function post({ url, headers, body, timeoutMs, signal }: WebhookMessage): Promise<SendOutcome> {
  const over = AbortSignal.timeout(timeoutMs)
  const begun = platform.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, over]) : over,
    })
    const retryAfter = response.headers.get('retry-after')
    return {
      outcome: 'answered',
      status: response.status,
      body: await beginningOf(response),
      ...(retryAfter === null ? {} : { retryAfter }),
      ms: platform.now() - begun,
    }
  } catch {
    // The error's own words may show parts of the URL, and those can be secret.
    return { outcome: 'failed', reason: over.aborted ? `No answer within ${timeoutMs} ms.` : 'No connection.' }
  }
}

/** Reads no more than is kept, however much there is. */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  while (text.length < mostAnswer) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text.slice(0, mostAnswer)
}
