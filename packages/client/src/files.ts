type Stream = AsyncIterable<string | Uint8Array>

/**
 * A file as the body of a request. Browsers cannot send a stream, or only over some connections: there it is read to its
 * end first.
 */
export async function bodyOf(file: string | Stream): Promise<BodyInit> {
  if (typeof file === 'string') return file
  if (!/^Mozilla/.test(globalThis.navigator?.userAgent)) return streamOf(file)
  const parts: BlobPart[] = []
  for await (const piece of file) parts.push(piece as BlobPart)
  return new Blob(parts)
}

function streamOf(file: Stream): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder()
  const pieces = file[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? utf8.encode(value) : value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

/**
 * A file in the answer, as its pieces of text.
 *
 * @param lost makes an error of what breaks it off. Handed in, as this file is loaded only by whoever needs it.
 */
export async function* piecesOf(
  { body }: Response,
  signal: AbortSignal | undefined,
  lost: (cause: unknown) => Error,
): AsyncGenerator<string> {
  const utf8 = new TextDecoder()
  const reader = body?.getReader()
  try {
    for (let done = !reader; !done; ) {
      const read = await reader!.read()
      signal?.throwIfAborted()
      done = read.done
      const text = utf8.decode(read.value, { stream: !done })
      if (text !== '') yield text
    }
  } catch (cause) {
    signal?.throwIfAborted()
    throw lost(cause)
  } finally {
    reader?.cancel().catch(() => {})
  }
}
