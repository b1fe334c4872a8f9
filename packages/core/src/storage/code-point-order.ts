/**
 * Compares two strings by code point, as Postgres does under the collation "C".
 *
 * JavaScript's `<` compares UTF-16 units and puts U+FFFD after U+1F600; every storage must page in one order,
 * so adapters that sort in JavaScript use this.
 *
 * @returns negative, zero or positive.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i)
    let y = b.charCodeAt(i)
    if (x === y) continue
    // Surrogates encode code points above every other unit, so both are shifted.
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

/** Returns a text with its ASCII letters in lower case, as Postgres does under the collation "C"; others stay. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
