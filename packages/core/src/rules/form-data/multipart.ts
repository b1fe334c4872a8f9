/** An element of a multipart body, in the order of the body. */
export type MultipartEvent =
  /** A part begins; its header lines as received, without line breaks. */
  | { readonly kind: 'part'; readonly headers: readonly string[] }
  /** Content of the current part. */
  | { readonly kind: 'content'; readonly bytes: Uint8Array }

export interface MultipartReader {
  /** Returns the events of these bytes; bytes that cannot be interpreted yet are buffered for the next call. */
  push(bytes: Uint8Array): MultipartEvent[]
  /** True after the closing delimiter; everything after it is ignored. */
  readonly closed: boolean
  /** True if the header lines of a part are too long; nothing more is read. */
  readonly hasOversizedHeaders: boolean
}

/** Maximum number of bytes in the header lines of a part. */
const maxHeaderBytes = 8 * 1024

const lineBreak = bytesOf('\r\n')
const headersEnd = bytesOf('\r\n\r\n')

/**
 * Creates a reader for a multipart body (RFC 2046, 5.1.1) that receives pieces of any size. It buffers no more than the
 * length of a delimiter and the header lines of one part.
 *
 * @param boundary boundary parameter of the media type.
 */
export function multipartReader(boundary: string): MultipartReader {
  return new DelimitedReader(boundary)
}

class DelimitedReader implements MultipartReader {
  readonly #delimiter: Uint8Array
  // The first delimiter may come without a line break before it, so the buffer starts with one.
  #buffered: Uint8Array = lineBreak
  #state: 'preamble' | 'headers' | 'content' | 'end' | 'broken' = 'preamble'

  constructor(boundary: string) {
    this.#delimiter = bytesOf(`\r\n--${boundary}`)
  }

  push(bytes: Uint8Array): MultipartEvent[] {
    this.#buffered = concatenate(this.#buffered, bytes)
    const events: MultipartEvent[] = []
    while (this.#next(events));
    return events
  }

  get closed(): boolean {
    return this.#state === 'end'
  }

  get hasOversizedHeaders(): boolean {
    return this.#state === 'broken'
  }

  /** Takes the next event out of the buffered bytes; false when more bytes are needed. */
  #next(events: MultipartEvent[]): boolean {
    if (this.#state === 'headers') return this.#readHeaders(events)
    const buffer = this.#buffered
    if (this.closed || this.hasOversizedHeaders) return this.#drop(buffer.length)
    const delimiterIndex = indexOf(buffer, this.#delimiter)
    // The end of the buffer may be the beginning of a delimiter.
    const contentLength = delimiterIndex < 0 ? Math.max(0, buffer.length - this.#delimiter.length + 1) : delimiterIndex
    if (this.#state === 'content' && contentLength > 0)
      events.push({ kind: 'content', bytes: buffer.slice(0, contentLength) })
    if (delimiterIndex < 0) return this.#drop(contentLength)
    this.#drop(delimiterIndex + this.#delimiter.length)
    this.#state = 'headers'
    return true
  }

  /** Reads the header lines of a part from the buffer, which begins directly after a delimiter. */
  #readHeaders(events: MultipartEvent[]): boolean {
    const buffer = this.#buffered
    if (buffer.length < 2) return false
    if (buffer[0] === 0x2d && buffer[1] === 0x2d) {
      this.#state = 'end'
      return true
    }
    const end = indexOf(buffer, headersEnd)
    // The line break after the delimiter is not part of the headers.
    if ((end < 0 ? buffer.length : end) - lineBreak.length > maxHeaderBytes) {
      this.#state = 'broken'
      return true
    }
    if (end < 0) return false
    const [, ...headers] = new TextDecoder().decode(buffer.subarray(0, end)).split('\r\n')
    events.push({ kind: 'part', headers })
    this.#drop(end + headersEnd.length)
    this.#state = 'content'
    return true
  }

  #drop(count: number): false {
    this.#buffered = this.#buffered.subarray(count)
    return false
  }
}

/** Returns the index of the first occurrence of a pattern, or -1. */
function indexOf(bytes: Uint8Array, pattern: Uint8Array): number {
  // Cast: a delimiter is never empty.
  const [first] = pattern as unknown as [number]
  for (let index = bytes.indexOf(first); index >= 0; index = bytes.indexOf(first, index + 1)) {
    let matched = 1
    while (matched < pattern.length && bytes[index + matched] === pattern[matched]) matched++
    if (matched === pattern.length) return index
  }
  return -1
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b
  const combined = new Uint8Array(a.length + b.length)
  combined.set(a)
  combined.set(b, a.length)
  return combined
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
