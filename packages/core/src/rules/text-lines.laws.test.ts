import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textLines } from './text-lines.ts'

async function linesOf(pieces: readonly (string | Uint8Array)[]) {
  const lines: { text: string; ended: boolean }[] = []
  for await (const some of textLines(pieces)) lines.push(...some)
  return lines
}

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u20ac', '\u{1f600}', '\ufeff'), maxLength: 40 })

it('textLines returns the lines of the whole text for any division into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(100)), async (whole, cuts) => {
      const bytes = new TextEncoder().encode(whole)
      const places = [...cuts.map((cut) => Math.min(cut, bytes.length)), 0, bytes.length].sort((a, b) => a - b)
      const pieces = places.map((place, i) => bytes.subarray(place, places[i + 1] ?? place))
      const lines = await linesOf(pieces)
      expect(lines.map((line) => line.text + (line.ended ? '\n' : '')).join('')).toBe(whole)
      expect(lines.filter((line) => line.text.includes('\n') || (line.text === '' && !line.ended))).toEqual([])
      expect(await linesOf([...whole])).toEqual(lines)
    }),
  )
})

it('textLines throws a TypeError for invalid UTF-8, also at the end', async () => {
  await expect(linesOf([new Uint8Array([0xff])])).rejects.toThrow(TypeError)
  await expect(linesOf(['a', new Uint8Array([0xe2, 0x82])])).rejects.toThrow(TypeError)
})
