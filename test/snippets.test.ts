import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sourcesUnder } from './source-imports.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Returns the files under a folder of the repository whose names match. */
const filesUnder = (folder: string, end: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && end.test(entry.name) && !/node_modules|dist/.test(entry.parentPath))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))

// `test/docstring-examples.test.ts` runs the examples of docstrings.
const examples = filesUnder('docs/examples', /\.m?[jt]s$/).filter((file) => !file.startsWith('docs/examples/api/'))
// The generated reference of declarations shows signatures, not code that runs.
const pages = ['README.md', ...filesUnder('docs', /\.md$/), ...filesUnder('packages', /^README\.md$/)].filter(
  (page) => !page.startsWith('docs/reference/library/'),
)

/** Returns the code blocks that an example can provide: the whole file, and each of its regions without indentation. */
function shownBy(file: string): string[] {
  const text = read(file)
  const regions = [...text.matchAll(/^( *)\/\/ #region [^\n]*\n(.*?)^ *\/\/ #endregion$/gms)]
  return [
    text,
    ...regions.map(([, indent, region]) => (region as string).replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
  ]
}

describe('documentation pages', () => {
  const shown = new Set(examples.flatMap(shownBy))

  it('contain only code that is compiled and run', () => {
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/^ *```(?:ts|tsx|js|mjs|typescript|javascript)\b[^\n]*\n(.*?)^ *```/gms)]
        .filter(([, block]) => !shown.has(block as string))
        .map(([, block]) => `${page}: no file or region of docs/examples equals\n${block}`),
    )
    expect(wrong).toEqual([])
  })

  it('link only to existing pages and headings', () => {
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target]) => target as string)
        .filter((target) => !/^(https?:|mailto:)/.test(target) && !leadsSomewhere(page, target))
        .map((target) => `${page} has a broken link to ${target}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('examples', () => {
  it('are all run by a test', () => {
    const tests = filesUnder('test', /\.ts$/)
      .filter((file) => file !== 'test/snippets.test.ts')
      .concat(examples.filter((file) => file.endsWith('/vitest.config.ts')))
      .map(read)
      .join('\n')
    const next = new Map(sourcesUnder('docs').map(({ file, imports }) => [file, imports]))
    const reached = new Set<string>()
    const reach = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { target } of next.get(file) ?? []) if (target) reach(target)
    }
    for (const file of examples)
      if (tests.includes(`'${path.basename(file)}'`) || tests.includes(`/${path.basename(file)}'`)) reach(file)
    expect(examples.filter((file) => !reached.has(file) && !file.endsWith('.d.ts'))).toEqual([])
  })
})

const headings = new Map<string, ReadonlySet<string>>()

/** Returns the anchors of the headings of a page, as GitHub creates them. */
function headingsOf(page: string): ReadonlySet<string> {
  const known =
    headings.get(page) ?? new Set([...read(page).matchAll(/^#+ (.*)$/gm)].map(([, text]) => anchorOf(text as string)))
  headings.set(page, known)
  return known
}

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

function leadsSomewhere(page: string, target: string): boolean {
  const [to, anchor] = target.split('#') as [string, string?]
  const file = to === '' ? page : path.posix.join(path.posix.dirname(page), to)
  try {
    return anchor === undefined || !file.endsWith('.md') ? read(file) !== undefined : headingsOf(file).has(anchor)
  } catch {
    return false
  }
}
