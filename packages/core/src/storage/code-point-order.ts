/**
 * Compares two strings by code point, as Postgres does under the collation "C".
 *
 * JavaScript's `<` compares UTF-16 units and puts U+FFFD after U+1F600. Pages must have the same order in every
 * storage, so adapters that sort in JavaScript use this function.
 *
 * @returns negative, zero or positive.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i)
    let y = b.charCodeAt(i)
    if (x === y) continue
    // Surrogates encode code points that are higher than all others, so units are shifted to have the same order.
    if (x >= 0xd800 && y >= 0xd800) {
      if (x >= 0xe000) x -= 0x800
      else x += 0x2000
      if (y >= 0xe000) y -= 0x800
      else y += 0x2000
    }
    return x - y
  }
  return a.length - b.length
}

/**
 * Returns a text with its ASCII letters in lower case, as Postgres does under the collation "C"; other letters are not
 * changed.
 */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
