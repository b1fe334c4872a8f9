import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sourcesUnder } from '../source-imports.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Returns the files under a folder of the repository whose names match. */
const filesUnder = (folder: string, suffix: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && suffix.test(entry.name) && !/node_modules|dist/.test(entry.parentPath))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))

// `test/docstring-examples.test.ts` runs the examples of docstrings.
const examples = filesUnder('docs/examples', /\.m?[jt]sx?$/).filter((file) => !file.startsWith('docs/examples/api/'))
// The generated reference of declarations shows signatures, not code that runs.
const pages = [
  'README.md',
  ...filesUnder('docs', /\.md$|^llms\.txt$/),
  ...filesUnder('packages', /^README\.md$/),
].filter((page) => !page.startsWith('docs/reference/library/'))

/** Returns the code blocks that an example can provide: the whole file, and each of its regions without indentation. */
function blocksOf(file: string): string[] {
  const text = read(file)
  const regions = [...text.matchAll(/^( *)\/\/ #region [^\n]*\n(.*?)^ *\/\/ #endregion$/gms)]
  return [
    text,
    ...regions.map(([, indent, region]) => (region as string).replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
  ]
}

describe('documentation pages', () => {
  const availableBlocks = new Set(examples.flatMap(blocksOf))

  it('contain only code that is compiled and run', () => {
    const problems = pages.flatMap((page) =>
      [...read(page).matchAll(/^ *```(?:ts|tsx|js|mjs|typescript|javascript)\b[^\n]*\n(.*?)^ *```/gms)]
        .filter(([, block]) => !availableBlocks.has(block as string))
        .map(
          ([, block]) =>
            `${page}: copy this block from a file or a #region of docs/examples that a test runs; none equals\n${block}`,
        ),
    )
    expect(problems).toEqual([])
  })

  it('of packages install every package that their examples import', () => {
    const problems = pages
      .filter((page) => page.startsWith('packages/'))
      .flatMap((page) => {
        const text = read(page)
        const installed = new Set([...text.matchAll(/npm install ([^\n]*)/g)].flatMap(([, names]) => names?.split(' ')))
        const imported = [...text.matchAll(/^import .* from '((?:@[\w-]+\/)?[\w-]+)(?:\/[^']*)?'$/gm)]
        return imported
          .filter(([, name]) => !installed.has(name))
          .map(([, name]) => `${page}: add ${name} to the line with npm install`)
      })
    expect(problems).toEqual([])
  })

  it('link only to existing pages and headings', () => {
    const problems = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target]) => target as string)
        .filter((target) => !/^(https?:|mailto:)/.test(target) && !linkExists(page, target))
        .map((target) => `${page}: correct the link to ${target}, which leads to no file or heading`),
    )
    expect(problems).toEqual([])
  })
})

describe('examples', () => {
  it('are all run by a test', () => {
    const tests = filesUnder('test', /\.ts$/)
      .filter((file) => file !== 'test/conventions/snippets.test.ts')
      .concat(examples.filter((file) => file.endsWith('/vitest.config.ts')))
      .map(read)
      .join('\n')
    const importsOf = new Map(sourcesUnder('docs').map(({ file, imports }) => [file, imports]))
    const tested = new Set<string>()
    const markTested = (file: string): void => {
      if (tested.has(file)) return
      tested.add(file)
      for (const { target } of importsOf.get(file) ?? []) if (target) markTested(target)
    }
    for (const file of examples)
      if (tests.includes(`'${path.basename(file)}'`) || tests.includes(`/${path.basename(file)}'`)) markTested(file)
    // Another test installs and starts complete applications, as their READMEs describe.
    const applications = filesUnder('docs/examples', /^package\.json$/).map(path.posix.dirname)
    for (const folder of applications.filter((each) => tests.includes(`'${path.basename(each)}'`)))
      for (const file of examples) if (file.startsWith(`${folder}/`)) markTested(file)
    const untested = examples.filter((file) => !tested.has(file) && !file.endsWith('.d.ts'))
    expect(untested.map((file) => `${file}: run it in a test, such as test/guides.test.ts, or delete it`)).toEqual([])
  })
})

const headings = new Map<string, ReadonlySet<string>>()

/** Returns the anchors of the headings of a page, as GitHub creates them. */
function headingsOf(page: string): ReadonlySet<string> {
  const anchors =
    headings.get(page) ?? new Set([...read(page).matchAll(/^#+ (.*)$/gm)].map(([, text]) => anchorOf(text as string)))
  headings.set(page, anchors)
  return anchors
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

function linkExists(page: string, target: string): boolean {
  const [linkedPage, anchor] = target.split('#') as [string, string?]
  const file = linkedPage === '' ? page : path.posix.join(path.posix.dirname(page), linkedPage)
  try {
    return anchor === undefined || !file.endsWith('.md') ? read(file) !== undefined : headingsOf(file).has(anchor)
  } catch {
    return false
  }
}
