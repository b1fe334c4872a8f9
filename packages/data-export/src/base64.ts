const encoder = new TextEncoder()

/** Returns the base64 of the UTF-8 of a text. */
export function base64(text: string): string {
  return base64OfBytes(encoder.encode(text))
}

/** Returns the base64 of bytes. */
export function base64OfBytes(bytes: Uint8Array): string {
  let binary = ''
  // One call with all bytes as arguments would exceed the stack.
  for (let start = 0; start < bytes.length; start += 8_192)
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192))
  return btoa(binary)
}
