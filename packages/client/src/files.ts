import type { UploadInput } from '@halyard/core/operations'
import { NetworkError } from './errors.ts'

type FileContent = UploadInput['file']

/**
 * Returns a text or a stream as the body of a request. In a browser the whole stream is read before it is sent, because
 * browsers send streams over HTTP/2 only, or not at all.
 */
export async function requestBody(content: FileContent): Promise<BodyInit> {
  if (typeof content === 'string') return content
  if (!/^Mozilla/.test(globalThis.navigator?.userAgent)) return streamOf(content)
  const chunks: BlobPart[] = []
  for await (const chunk of content) chunks.push(chunk as BlobPart)
  return new Blob(chunks)
}

function streamOf(content: Exclude<FileContent, string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = content[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/**
 * Yields the file of a response as chunks of text. The transfer is cancelled when the caller stops iterating.
 *
 * @throws NetworkError when the transfer fails; the reason of the signal when it is aborted.
 */
export async function* fileChunks({ body }: Response, signal: AbortSignal | undefined): AsyncGenerator<string> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      signal?.throwIfAborted()
      yield read.value
    }
  } catch (cause) {
    signal?.throwIfAborted()
    throw new NetworkError(cause)
  } finally {
    reader.cancel().catch(() => {})
  }
}
