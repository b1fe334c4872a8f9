import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sourcesUnder } from '../source-imports.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Files under a folder of the repository by the end of their names. */
const filesUnder = (folder: string, end: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && end.test(entry.name) && !/node_modules|dist/.test(entry.parentPath))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))

// `test/conventions/docstring-examples.test.ts` runs the examples of docstrings.
const examples = filesUnder('docs/examples', /\.m?[jt]s$/).filter((file) => !file.startsWith('docs/examples/api/'))
// What is written of the declarations shows signatures and no code that runs.
const pages = ['README.md', ...filesUnder('docs', /\.md$/), ...filesUnder('packages', /^README\.md$/)].filter(
  (page) => !page.startsWith('docs/reference/library/'),
)

/** What an example can show: itself as a whole, and each of its regions, moved to the left. */
function shownBy(file: string): string[] {
  const text = read(file)
  const regions = [...text.matchAll(/^( *)\/\/ #region [^\n]*\n(.*?)^ *\/\/ #endregion$/gms)]
  return [
    text,
    ...regions.map(([, indent, region]) => (region as string).replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
  ]
}

describe('pages', () => {
  const shown = new Set(examples.flatMap(shownBy))

  it('show nothing but what is compiled and run', () => {
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/^ *```(?:ts|tsx|js|mjs|typescript|javascript)\b[^\n]*\n(.*?)^ *```/gms)]
        .filter(([, block]) => !shown.has(block as string))
        .map(([, block]) => `${page}: no file or region of docs/examples is\n${block}`),
    )
    expect(wrong).toEqual([])
  })

  it('link to pages that exist, and to headings that they have', () => {
    const wrong = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target]) => target as string)
        .filter((target) => !/^(https?:|mailto:)/.test(target) && !leadsSomewhere(page, target))
        .map((target) => `${page} links to ${target}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('examples', () => {
  it('are all run by a test', () => {
    const tests = filesUnder('test', /\.ts$/)
      .filter((file) => file !== 'test/conventions/snippets.test.ts')
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

/** The anchors of a page as GitHub makes them. */
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
