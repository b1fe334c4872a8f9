import type { IncomingMessage } from 'node:http'

/** How much of an answer is read, bytes. Behind it the connection is cut. */
const readLimit = 64 * 1024

/** How many characters of it are kept. */
const kept = 1024

/**
 * The first 1,024 characters of an answer's body.
 *
 * Reads up to 64 KiB, so that a connection can be used again for what most receivers say. A body that breaks off, or does
 * not end in time, is kept as far as it came: the receiver has answered.
 */
export async function answerStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      // Leaving destroys the response, and with it the connection.
      if (size > readLimit) break
    }
  } catch {}
  // No character of UTF-8 has more than four bytes. What is cut off is cut between characters.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, kept * 4))
  return [...text].slice(0, kept).join('')
}
