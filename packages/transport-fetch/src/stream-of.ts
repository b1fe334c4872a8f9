/** Returns chunks of text as a stream of UTF-8 that requests each chunk when its reader needs one. */
export function streamOf(chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  const utf8 = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(utf8.encode(value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
