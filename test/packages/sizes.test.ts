import { describe, expect, it } from 'vitest'
import { root } from '../source-imports.ts'
import { bundled, engineOf, engines, entries, gzipKilobytes } from './bundle-sizes.ts'

const sources = { folder: root, conditions: ['@halyard/source'] }

describe.each([
  { group: 'engines', budgets: engines },
  { group: 'entry points', budgets: entries },
])('bundles of $group', ({ budgets }) => {
  it.each(budgets)('$of: at most $max kB of gzip', async ({ of, source, max }) => {
    const size = await gzipKilobytes(source, sources)
    expect(size, `${of}: ${size.toFixed(1)} kB of gzip`).toBeLessThanOrEqual(max)
  })
})

it('an engine without AI configs contains no Mustache', async () => {
  const message = 'Unclosed tag'
  const mustache = new TextDecoder().decode(await bundled(`export { createEngine } from '@halyard/core'`, sources))
  expect(mustache).toContain(message)
  const source = engineOf('getFlag', 'evaluators', 'sdkEndpoints', 'backUps')
  expect(new TextDecoder().decode(await bundled(source, sources))).not.toContain(message)
})
