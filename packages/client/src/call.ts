import { ApiError, NetworkError } from './errors.ts'
import { fileChunks } from './files.ts'
import type { ClientCallOptions, ClientSettings, Input } from './options.ts'
import type { OperationEntry } from './read-manifest.ts'
import { createRequest, type PreparedRequest, prepareRequest } from './request.ts'
import { readResponse } from './response.ts'
import { retryDelay } from './retry.ts'
import { sleep, withTimeout } from './timeout.ts'

/**
 * Calls an operation, and retries it as the retry policy allows.
 *
 * @returns the JSON body of the response, the chunks of a downloaded file, or undefined when the response has no body.
 * @throws ApiError, NetworkError, or the reason of the signal.
 */
export async function callOperation(
  settings: ClientSettings,
  operation: OperationEntry,
  input: Input,
  options: ClientCallOptions,
): Promise<unknown> {
  const request = prepareRequest(settings, operation, input, options)
  const { signal } = options
  const deadline = settings.now() + settings.budget
  for (let attempt = 0; ; attempt++) {
    try {
      signal?.throwIfAborted()
      return await sendOnce(settings, request, { deadline, signal })
    } catch (cause) {
      signal?.throwIfAborted()
      const error = cause instanceof ApiError || cause instanceof NetworkError ? cause : new NetworkError(cause)
      const delay = retryDelay(settings, request, { error, attempt })
      if (delay === undefined || settings.now() + delay >= deadline) throw error
      await sleep(delay, signal)
    }
  }
}

/** The time until which a request waits for its response, and the signal that cancels it. */
interface RequestLimits {
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

function sendOnce(
  settings: ClientSettings,
  request: PreparedRequest,
  { deadline, signal }: RequestLimits,
): Promise<unknown> {
  const isUpload = request.file === 'upload'
  const timeout = isUpload ? Infinity : Math.min(settings.timeout, deadline - settings.now())
  return withTimeout(timeout, signal, async (timeoutSignal) => {
    // The transfer of a file may take longer than the timeout of a response.
    const sent = await createRequest(request, request.file ? signal : timeoutSignal)
    const response = await settings.fetch(sent)
    const isDownload = request.file === 'download' && response.ok
    return isDownload ? fileChunks(response, signal) : readResponse(response, settings.now())
  })
}
