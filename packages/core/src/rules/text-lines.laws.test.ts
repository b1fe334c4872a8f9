import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textLines } from './text-lines.ts'

async function linesOf(pieces: readonly (string | Uint8Array)[]) {
  const lines: { text: string; ended: boolean }[] = []
  for await (const batch of textLines(pieces)) lines.push(...batch)
  return lines
}

const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u20ac', '\u{1f600}', '\ufeff'), maxLength: 40 })

it('textLines returns the lines of the whole text for any division into pieces', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(100)), async (original, cutOffsets) => {
      const bytes = new TextEncoder().encode(original)
      const offsets = [...cutOffsets.map((cut) => Math.min(cut, bytes.length)), 0, bytes.length].sort((a, b) => a - b)
      const pieces = offsets.map((offset, i) => bytes.subarray(offset, offsets[i + 1] ?? offset))
      const lines = await linesOf(pieces)
      expect(lines.map((line) => line.text + (line.ended ? '\n' : '')).join('')).toBe(original)
      expect(lines.filter((line) => line.text.includes('\n') || (line.text === '' && !line.ended))).toEqual([])
      expect(await linesOf([...original])).toEqual(lines)
    }),
  )
})

it('textLines throws a TypeError for invalid UTF-8, also at the end', async () => {
  await expect(linesOf([new Uint8Array([0xff])])).rejects.toThrow(TypeError)
  await expect(linesOf(['a', new Uint8Array([0xe2, 0x82])])).rejects.toThrow(TypeError)
})
