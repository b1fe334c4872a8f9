/**
 * Maximum length of a line in UTF-16 units: a longer line is not from a file of this project, and must not fill the
 * memory.
 */
const maxLength = 64 * 1024 * 1024

/**
 * Splits text that arrives in pieces into lines, without their line breaks.
 *
 * @param pieces text, or its UTF-8; a piece may end anywhere, even inside of a character.
 * @returns lines; `ended` is false for a last line without a line break.
 * @throws TypeError for invalid UTF-8; RangeError for a line of more than 64 Mi UTF-16 units.
 */
export async function* textLines(
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): AsyncGenerator<readonly { readonly text: string; readonly ended: boolean }[]> {
  // If the first line began with a byte order mark, the mark would become part of its text. Files of this project have
  // no such mark.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const piece of pieces) {
    const parts = (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })).split('\n')
    // Only the new piece is searched for a line break, however many pieces a line has.
    parts[0] = rest + parts[0]
    rest = parts.pop() ?? ''
    if (rest.length > maxLength) throw new RangeError(`a line must have at most ${maxLength} UTF-16 units`)
    if (parts.length > 0) yield parts.map((text) => ({ text, ended: true }))
  }
  rest += decoder.decode()
  if (rest !== '') yield [{ text: rest, ended: false }]
}
