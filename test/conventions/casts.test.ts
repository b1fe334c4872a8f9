import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTest, root } from '../source-imports.ts'
import { sources } from './import-edges.ts'

describe('casts that the compiler does not check', () => {
  const cast = /\bas (never|any|unknown as)\b/
  const commentLine = /^\s*(\/\/|\*|\/\*)/
  const casts = sources
    .filter(({ file }) => /^packages\/[^/]+\/src\//.test(file) && !isTest(file))
    .flatMap(({ file }) => {
      const lines = readFileSync(path.join(root, file), 'utf8').split('\n')
      return lines.flatMap((line, index) =>
        cast.test(line.replace(/'[^']*'/g, '')) && !commentLine.test(line)
          ? [{ at: `${file}:${index + 1}`, above: lines[index - 1] ?? '' }]
          : [],
      )
    })

  it('have a comment above them that explains why they are correct', () => {
    const broken = casts
      .filter(({ above }) => !/^\s*\/\/ Cast: ./.test(above))
      .map(({ at }) => `${at}: remove the cast, or write \`// Cast: why it holds\` on the line above it`)
    expect(broken).toEqual([])
  })

  it('are fewer than 40 in the sources of all packages', () => {
    const surplus = casts
      .slice(39)
      .map(({ at }) => `${at}: replace this cast, or another one, by a type that the compiler checks`)
    expect(surplus).toEqual([])
  })
})
