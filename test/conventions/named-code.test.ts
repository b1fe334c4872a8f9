import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../root.ts'
import { readableTexts } from './readable-texts.ts'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')

/**
 * Returns the names of TypeScript files in a text, with the folders that the text names. Declaration files and patterns
 * are not included.
 */
const namedFiles = (text: string) =>
  [...text.matchAll(/(?<![\w/.*<>{-])(?:[\w-]+\/)*[\w-]+(?:\.(?:property\.)?test)?\.tsx?\b/g)].map(([name]) => name)

const isMissing = (name: string) => !files.some((file) => file === name || file.endsWith(`/${name}`))

// The sources are parsed while the file loads, as in the vocabulary test, so that the time limit of a case does not
// include the parsing.
const texts = readableTexts()

it('comments name only files that exist', () => {
  const missing = texts
    .filter(({ kind }) => kind === 'comment')
    // The code of an example may name a file of the reader's application.
    .flatMap(({ file, line, text }) =>
      namedFiles(text.split('@example')[0] ?? '').map((name) => ({ file, line, name })),
    )
    .filter(({ name }) => isMissing(name))
    .map(({ file, line, name }) => `${file}:${line}: ${name}`)
  expect(missing, 'edit each of these lines: name the file as it is called now').toEqual([])
})

it('guides, decisions and the architecture name only files that exist', () => {
  const pages = files.filter((file) => /^(docs\/(guide|decisions)\/[^/]+|docs\/architecture)\.md$/.test(file))
  const missing = pages.flatMap((page) =>
    [...readFileSync(path.join(root, page), 'utf8').matchAll(/`([\w-]+\/[\w/.-]+\.tsx?)`/g)]
      .map(([, name = '']) => name)
      .filter(isMissing)
      .map((name) => `${page}: ${name}`),
  )
  expect(pages.length).toBeGreaterThan(100)
  expect(missing, 'edit these pages: name the files as they are called now').toEqual([])
})

/** Names of platforms and of other products, which no source of this repository contains. */
const foreignNames = [
  ...['AssertionError', 'MessageContext', 'createFlagsDiscoveryEndpoint', 'gradualRollout', 'headersTimeout'],
  ...['isFeatureEnabled', 'isWellFormed', 'localeCompare', 'originOf', 'requestTimeout'],
]

/** Returns the names in camel case in a text. */
const camelCaseNames = (text: string) =>
  (text.match(/[A-Za-z]\w*/g) ?? []).filter((name) => /[a-z][A-Z]/.test(name) && !foreignNames.includes(name))

/** The names that the code of all sources contains, without those of comments. */
const codeNames = new Set(
  files
    .filter((file) => /^(packages|test|bench|docs\/examples)\/.*\.(m?tsx?|mjs|json|vue|svelte)$/.test(file))
    .filter((file) => existsSync(path.join(root, file)) && !file.includes('conventions/'))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      return camelCaseNames(text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
    }),
)

it('comments name only code that exists', () => {
  const missing = texts
    .filter(({ kind, file }) => kind === 'comment' && !file.includes('conventions/'))
    .flatMap(({ file, line, text }) =>
      [...(text.split('@example')[0] ?? '').matchAll(/`([^`]+)`|\{@link (\w+)/g)]
        .flatMap(([, code, link]) => camelCaseNames(code ?? link ?? ''))
        .filter((name) => !codeNames.has(name))
        .map((name) => `${file}:${line}: ${name}`),
    )
  expect(missing, 'edit each of these lines: use the name of today').toEqual([])
})

it('pages name only code that exists', () => {
  const pages = files.filter((file) =>
    /^(\w+|docs\/(guide\/|decisions\/)?[\w-]+|packages\/[^/]+\/README)\.md$/.test(file),
  )
  const missing = pages.flatMap((page) => {
    const text = readFileSync(path.join(root, page), 'utf8')
    const examples = new Set([...text.matchAll(/```.*?```/gs)].flatMap(([example]) => camelCaseNames(example)))
    return [...text.replace(/```.*?```/gs, '').matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, code = '']) => camelCaseNames(code))
      .filter((name) => !codeNames.has(name) && !examples.has(name))
      .map((name) => `${page}: ${name}`)
  })
  expect(pages.length).toBeGreaterThan(130)
  expect(missing, 'edit these pages: use the names of today').toEqual([])
})
