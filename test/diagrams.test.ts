import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { importDiagrams, withDiagrams } from '../docs/diagrams/import-diagrams.ts'
import { root } from './source-imports.ts'

const diagrams = importDiagrams()

it('the diagrams in docs/architecture.md match the imports (`npm run generate` updates them)', () => {
  const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
  expect(page).toBe(withDiagrams(page, diagrams))
})

it('no arrow in the diagram of core leads to a higher layer', () => {
  const layers = ['vocabulary', 'rules', 'storage', 'operation', 'models', 'resources', 'pipeline', 'engine']
  const arrows = [...(diagrams[1]?.text ?? '').matchAll(/^ {2}(\S+) -\.?-> (\S+)$/gm)].map(([, from, to]) => [from, to])
  expect(new Set(arrows.flat())).toEqual(new Set(layers))
  const upwardArrows = arrows.filter(([from, to]) => layers.indexOf(from as string) <= layers.indexOf(to as string))
  expect(upwardArrows).toEqual([])
  expect(arrows).not.toContainEqual(['pipeline', 'resources'])
  expect(arrows).not.toContainEqual(['pipeline', 'models'])
})

it('withDiagrams throws for a page without markers', () => {
  expect(() => withDiagrams('# Nothing', diagrams)).toThrow('packages')
})
