import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { type ExportedDeclaration, exportedDeclarations, isDocumented } from './exported-declarations.ts'
import { publicModules } from './packages/public-modules.ts'

/** Operations have a `summary`, and the descriptors of resources a `description`. */
const operations = new Set(createEngine({ storage: createMemoryStorage() }).operations.map(({ id }) => id))
const describesItself = ({ name, file }: ExportedDeclaration) =>
  operations.has(name) || /\/core\/src\/resources\/[^/]+\/index\.ts$/.test(file)

const entryFiles = publicModules.map(({ file }) => file)

const all = [...new Set(entryFiles.flatMap((entry) => [...exportedDeclarations(entry).values()]))].filter(
  (declaration) => !describesItself(declaration),
)

it('the check sees all exported declarations', () => {
  expect(entryFiles.length).toBeGreaterThan(14)
  expect(all.length).toBeGreaterThan(300)
})

it('every exported function, interface and type has a docstring', () => {
  const missing = all.filter(({ node }) => !isDocumented(node)).map(({ name, file }) => `${file}: ${name}`)
  expect([...new Set(missing)].sort()).toEqual([])
})

it('every optional property of an options type has a docstring', () => {
  const missing = all.flatMap(({ name, file, node }) =>
    ts.isInterfaceDeclaration(node) && /(Options|Input|Design)$/.test(name)
      ? node.members
          .filter((property) => property.questionToken && !isDocumented(property))
          .map((property) => `${file}: ${name}.${property.name?.getText()}`)
      : [],
  )
  expect([...new Set(missing)].sort()).toEqual([])
})
