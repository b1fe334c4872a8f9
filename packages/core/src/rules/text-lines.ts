/** Longest line, in UTF-16 units: what is longer is no line of ours, and must not fill the memory. */
const maxLength = 64 * 1024 * 1024

/**
 * Cuts text that comes in pieces into lines, without their ends.
 *
 * @param pieces text, or its UTF-8; a piece may end anywhere, also inside of a character.
 * @returns `ended` is false for a last line that no newline ends.
 * @throws TypeError for bytes that are no UTF-8; RangeError for a line of more than 64 Mi UTF-16 units.
 */
export async function* textLines(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<readonly { readonly text: string; readonly ended: boolean }[]> {
  // A byte order mark would be part of the first line: files of ours have none.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const piece of pieces) {
    const parts = (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })).split('\n')
    // Only what is new is looked through, however many pieces a line has.
    parts[0] = rest + parts[0]
    rest = parts.pop() ?? ''
    if (rest.length > maxLength) throw new RangeError('a line is too long')
    if (parts.length > 0) yield parts.map((text) => ({ text, ended: true }))
  }
  rest += decoder.decode()
  if (rest !== '') yield [{ text: rest, ended: false }]
}
