import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { libraryFolder, libraryReference } from '../../docs/library/library-reference.ts'
import { exportedDeclarations } from '../exported-declarations.ts'
import { publicModules } from './public-modules.ts'

const pageOf = (name: string) => `${name.replace('@halyard/', '').replace('/', '-')}.md`

describe('the generated library reference', () => {
  let pages: Readonly<Record<string, string>>
  // Takes as long as type-checking core.
  beforeAll(async () => {
    pages = await libraryReference()
  }, 300_000)

  it('has one page for each public module', () => {
    expect(Object.keys(pages).sort()).toEqual(['README.md', ...publicModules.map(({ name }) => pageOf(name))].sort())
  })

  it('titles each page with what is imported', () => {
    for (const { name } of publicModules) expect(pages[pageOf(name)]?.split('\n')[0]).toBe(`# ${name}`)
  })

  it('equals the output of `npm run generate`', () => {
    expect(readdirSync(libraryFolder).sort()).toEqual(Object.keys(pages).sort())
    const stale = Object.keys(pages).filter(
      (file) => readFileSync(path.join(libraryFolder, file), 'utf8') !== pages[file],
    )
    expect(stale, 'run `npm run generate` and commit the result').toEqual([])
  })

  it('describes every function that the transports export', () => {
    const functions = [...exportedDeclarations('packages/transport-fetch/src/index.ts').keys()]
    expect(functions).toContain('createFetchHandler')
    for (const name of functions) expect(pages['transport-fetch.md']).toContain(`### ${name}`)
  })
})
