import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../root.ts'

const source = path.join(root, 'packages/core/src')

it('core exports each named type of a response, because declarations of applications refer to it', () => {
  const resources = path.join(source, 'resources')
  const names = readdirSync(resources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(resources, file), 'utf8')
      return [...text.matchAll(/^export interface (\w+Response) extends v\.InferOutput</gm)].map(([, name]) => name)
    })
  const exported = new Set(readFileSync(path.join(source, 'entries/operations.ts'), 'utf8').match(/\w+Response/g))
  expect(names.length).toBeGreaterThan(30)
  const advice = 'export the types from packages/core/src/entries/operations.ts'
  expect(
    names.filter((name) => !exported.has(name as string)),
    advice,
  ).toEqual([])
})
