import type { Send, SendOutcome, WebhookMessage } from './operation/sender.ts'
import { platform } from './platform.ts'
import { parseHttpUrl } from './rules/http-url.ts'
import { isPrivateHost } from './rules/private-address.ts'

/** Maximum number of characters of a response that are reported. */
const maxResponseCharacters = 1_024

/** Options of a sender over `fetch`. */
export interface FetchSenderOptions {
  /** True to also allow URLs whose host is a private address or name. Default false. */
  readonly allowPrivate?: boolean
}

/**
 * Makes a sender over the `fetch` of the runtime, for environments that cannot reach a private network anyway, such as
 * edge runtimes. It refuses hosts that are written as private addresses or names, but does not check the addresses to
 * which a name resolves (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks).
 */
export function fetchSender({ allowPrivate = false }: FetchSenderOptions = {}): Send {
  return async (message) => {
    const url = parseHttpUrl(message.url)
    if (!url) return { outcome: 'failed', reason: 'The URL is not an http or https URL.', refused: true }
    if (!allowPrivate && isPrivateHost(url.hostname)) {
      return { outcome: 'failed', reason: 'The URL leads to a private network.', refused: true }
    }
    return post(message)
  }
}

async function post({ url, headers, body, timeoutMs, signal }: WebhookMessage): Promise<SendOutcome> {
  const timeoutSignal = AbortSignal.timeout(timeoutMs)
  const startTime = platform.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
    })
    const retryAfter = response.headers.get('retry-after')
    return {
      outcome: 'answered',
      status: response.status,
      body: await beginningOf(response),
      ...(retryAfter === null ? {} : { retryAfter }),
      ms: platform.now() - startTime,
    }
  } catch {
    // The message of the error can contain parts of the URL, which can be secret.
    return {
      outcome: 'failed',
      reason: timeoutSignal.aborted ? `No response within ${timeoutMs} ms.` : 'No connection.',
    }
  }
}

/** Reads the beginning of a response, and cancels the rest. */
async function beginningOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  while (text.length < maxResponseCharacters) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return text.slice(0, maxResponseCharacters)
}
