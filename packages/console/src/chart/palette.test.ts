import { describe, expect, it } from 'vitest'
import { contrastOf } from '../../test/contrast.ts'
import { palettes } from './palette.ts'

describe.each(Object.entries(palettes))('the %s palette', (_, { background, text, lines }) => {
  it('has lines with a contrast of at least 3:1 and text with a contrast of at least 4.5:1', () => {
    expect(lines.filter((line) => contrastOf(line, background) < 3)).toEqual([])
    expect(contrastOf(text, background)).toBeGreaterThanOrEqual(4.5)
    expect(new Set(lines).size).toBe(lines.length)
  })
})
