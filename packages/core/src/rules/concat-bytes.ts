/** Concatenates pieces of bytes; a single piece is returned without copying it. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array
  const combined = new Uint8Array(pieces.reduce((size, { byteLength }) => size + byteLength, 0))
  let offset = 0
  for (const piece of pieces) {
    combined.set(piece, offset)
    offset += piece.byteLength
  }
  return combined
}
