import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { withDeletionRules } from '../../docs/deletion/deletion-rules.ts'
import { root } from '../source-imports.ts'

it('docs/guide/deletion.md lists all references (`npm run generate` updates it)', () => {
  const page = readFileSync(path.join(root, 'docs/guide/deletion.md'), 'utf8')
  expect(page, 'run `npm run generate` and commit docs/guide/deletion.md').toBe(withDeletionRules(page))
})

it('withDeletionRules throws for a page without markers', () => {
  expect(() => withDeletionRules('# Nothing')).toThrow('markers')
})
