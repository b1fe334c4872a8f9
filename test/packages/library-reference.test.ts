import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { libraryFolder, libraryReference } from '../../docs/library/library-reference.ts'
import { exportedDeclarations } from '../exported-declarations.ts'
import { longTests } from '../setup/long-tests.ts'
import { publicModules } from './public-modules.ts'

const advice = 'run `npm run generate` and commit the result'
const pageOf = (name: string) => `${name.replace('@halyard/', '').replace('/', '-')}.md`
const committed = Object.fromEntries(
  readdirSync(libraryFolder).map((file) => [file, readFileSync(path.join(libraryFolder, file), 'utf8')]),
)

describe('the generated library reference', () => {
  it('has one page for each public module', () => {
    const expected = ['README.md', ...publicModules.map(({ name }) => pageOf(name))]
    expect(Object.keys(committed).sort(), advice).toEqual(expected.sort())
  })

  it('titles each page with what is imported', () => {
    for (const { name } of publicModules) expect(committed[pageOf(name)]?.split('\n')[0]).toBe(`# ${name}`)
  })

  it('describes every function that the transports export', () => {
    const functions = [...exportedDeclarations('packages/transport-fetch/src/index.ts').keys()]
    expect(functions).toContain('createFetchHandler')
    for (const name of functions) expect(committed['transport-fetch.md']).toContain(`### ${name}`)
  })

  // A page names an export of several modules once. Operations and resources are in the reference pages of the operations.
  it('has every exported name with the first sentence of its docstring', () => {
    const text = plain(Object.values(committed).join('\n'))
    const stale = publicModules
      .filter(({ name }) => !/operations|resources/.test(name))
      .flatMap(({ file }) => [...exportedDeclarations(file).values()])
      .filter(({ name, node }) => !text.includes(` ${name}`) || !text.includes(plain(firstSentence(node))))
      .map(({ name, file }) => `${name} of ${file}`)
    expect([...new Set(stale)], advice).toEqual([])
  })

  // Reading all types takes as long as checking core.
  it.runIf(longTests)(
    'equals the output of `npm run generate`',
    async () => {
      const pages = await libraryReference()
      expect(Object.keys(committed).sort(), advice).toEqual(Object.keys(pages).sort())
      expect(
        Object.keys(pages).filter((file) => committed[file] !== pages[file]),
        advice,
      ).toEqual([])
    },
    300_000,
  )
})

function firstSentence(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const paragraph = (ts.getTextOfJSDocComment(comment?.comment) ?? '').split('\n\n')[0] as string
  return paragraph.split(/(?<=\.)\s/)[0] as string
}

/**
 * Returns the words of a text, without addresses of links: Markdown escapes characters, and breaks lines at other
 * places.
 */
function plain(text: string): string {
  const unlinked = text
    .replaceAll('{@link ', ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/&\w+;/g, ' ')
  return unlinked.replace(/[^\p{L}\p{N}]+/gu, ' ')
}
