import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type ExportedDeclaration, exportedDeclarations } from '../exported-declarations.ts'
import { publicModules } from '../packages/public-modules.ts'
import { root } from '../root.ts'

const folder = 'docs/examples/api'

/** The text of each example, by its path below the folder. */
const examples = new Map(
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file.replaceAll(path.sep, '/'), readFileSync(path.join(root, folder, file), 'utf8')]),
)

const roots = publicModules.filter(({ name }) => name.split('/').length === 2)

/** The functions and classes that the root entry points export. */
const called = roots.flatMap(({ name: module, file }) =>
  [...exportedDeclarations(file).values()].filter(isCalled).map((declaration) => ({ module, ...declaration })),
)

const everything = [
  ...new Map(
    publicModules
      .flatMap(({ file }) => [...exportedDeclarations(file).values()])
      .map((declaration) => [declaration.node, declaration]),
  ).values(),
]

describe('docstrings', () => {
  it('have an example of each function and class of the root entry points', () => {
    expect(called.length).toBeGreaterThan(40)
    const missing = called
      .filter(({ node }) => examplesOf(node).length === 0)
      .map(
        ({ module, name, file }) =>
          `${file}: write an @example above ${name} of ${module}, with the text of a file of ${folder}`,
      )
    expect(missing).toEqual([])
  })

  it('show only examples that are files of docs/examples', () => {
    const texts = new Set(examples.values())
    const unknown = everything.flatMap(({ name, file, node }) =>
      examplesOf(node)
        .filter((example) => !texts.has(example))
        .map((example) => `${file}: copy the @example of ${name} from a file of ${folder}; none is\n${example}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('example', () => {
  it('is part of at least one docstring', () => {
    const usedExamples = new Set(everything.flatMap(({ node }) => examplesOf(node)))
    const unused = [...examples].filter(([, text]) => !usedExamples.has(text))
    expect(unused.map(([file]) => `${folder}/${file}: copy it to the @example of a docstring, or delete it`)).toEqual(
      [],
    )
  })
})

function isCalled({ node }: ExportedDeclaration): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) return true
  if (!ts.isVariableDeclaration(node)) return false
  const { type, initializer } = node
  return Boolean((type && ts.isFunctionTypeNode(type)) || (initializer && ts.isArrowFunction(initializer)))
}

/** The code of the `@example` tags of a declaration. */
function examplesOf(node: ts.Node): string[] {
  return ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === 'example')
    .flatMap((tag) => [...tag.getText().matchAll(/```ts\n(.*?)\n[ *]*```/gs)])
    .map(([, code]) => `${(code as string).replaceAll(/^ \* ?/gm, '')}\n`)
}
