import type { IncomingMessage } from 'node:http'

/** Maximum number of bytes of a response that are read. The connection is closed when there are more. */
const readLimit = 64 * 1024

/** Maximum number of characters that are returned. */
const excerptLength = 1024

/**
 * Returns the first 1,024 characters of a response body. Reads up to 64 KiB, so that after most responses the
 * connection can be used again. Of a body that is incomplete or does not end in time, the received part is returned,
 * because the receiver has responded.
 */
export async function readExcerpt(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      // Leaving the loop destroys the response and its connection.
      if (size > readLimit) break
    }
  } catch {}
  // A character has at most four bytes in UTF-8. The text is cut between characters.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, excerptLength * 4))
  return [...text].slice(0, excerptLength).join('')
}
