import { describe, expect, it } from 'vitest'
import { contrastOf } from '../../test/contrast.ts'
import { palettes } from './palette.ts'

describe.each(Object.entries(palettes))('the %s palette', (_, { ground, text, lines }) => {
  it('has lines that stand out from the ground, and text that can be read', () => {
    expect(lines.filter((line) => contrastOf(line, ground) < 3)).toEqual([])
    expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5)
    expect(new Set(lines).size).toBe(lines.length)
  })
})
