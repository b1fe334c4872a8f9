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
  readonly broken: boolean
}

/** Maximum number of bytes in the header lines of a part. */
const mostHeaderBytes = 8 * 1024

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
  #held: Uint8Array = lineBreak
  #at: 'preamble' | 'headers' | 'content' | 'end' | 'broken' = 'preamble'

  constructor(boundary: string) {
    this.#delimiter = bytesOf(`\r\n--${boundary}`)
  }

  push(bytes: Uint8Array): MultipartEvent[] {
    this.#held = joined(this.#held, bytes)
    const events: MultipartEvent[] = []
    while (this.#next(events));
    return events
  }

  get closed(): boolean {
    return this.#at === 'end'
  }

  get broken(): boolean {
    return this.#at === 'broken'
  }

  /** Takes the next event out of what is held; false when more bytes are needed. */
  #next(events: MultipartEvent[]): boolean {
    if (this.#at === 'headers') return this.#readHeaders(events)
    const held = this.#held
    if (this.closed || this.broken) return this.#drop(held.length)
    const found = indexOf(held, this.#delimiter)
    // The end of the buffer may be the beginning of a delimiter.
    const sure = found < 0 ? Math.max(0, held.length - this.#delimiter.length + 1) : found
    if (this.#at === 'content' && sure > 0) events.push({ kind: 'content', bytes: held.slice(0, sure) })
    if (found < 0) return this.#drop(sure)
    this.#drop(found + this.#delimiter.length)
    this.#at = 'headers'
    return true
  }

  /** Reads the header lines of a part from the buffer, which begins directly after a delimiter. */
  #readHeaders(events: MultipartEvent[]): boolean {
    const held = this.#held
    if (held.length < 2) return false
    if (held[0] === 0x2d && held[1] === 0x2d) {
      this.#at = 'end'
      return true
    }
    const end = indexOf(held, headersEnd)
    // The line break after the delimiter is not part of the headers.
    if ((end < 0 ? held.length : end) - lineBreak.length > mostHeaderBytes) {
      this.#at = 'broken'
      return true
    }
    if (end < 0) return false
    const [, ...headers] = new TextDecoder().decode(held.subarray(0, end)).split('\r\n')
    events.push({ kind: 'part', headers })
    this.#drop(end + headersEnd.length)
    this.#at = 'content'
    return true
  }

  #drop(count: number): false {
    this.#held = this.#held.subarray(count)
    return false
  }
}

/** Returns the index of the first occurrence of a pattern, or -1. */
function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  // Cast: a delimiter is never empty.
  const [first] = wanted as unknown as [number]
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let same = 1
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++
    if (same === wanted.length) return at
  }
  return -1
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
