import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { isTest, root, type SourceFile } from '../source-imports.ts'
import { allSources, core, edgesOf, isForBuilds, sources, within } from './import-edges.ts'

// Each violation is one line: the file, what it does, and the rule that it violates.

const { operations } = createEngine({ storage: createMemoryStorage() })

const thisFile = 'test/conventions/architecture.test.ts'

/** The folders of core, and the folders below each: those that its files may import. */
const foldersBelow: Readonly<Record<string, readonly string[]>> = {
  vocabulary: [],
  rules: [],
  storage: ['vocabulary', 'rules'],
  operation: ['vocabulary', 'rules', 'storage'],
  models: ['vocabulary', 'rules', 'storage', 'operation'],
  pipeline: ['vocabulary', 'rules', 'storage', 'operation'],
  resources: ['vocabulary', 'rules', 'storage', 'operation', 'models'],
  top: ['vocabulary', 'rules', 'storage', 'operation', 'models', 'pipeline', 'resources'],
}

describe('the folders of core', () => {
  // Entry points belong to the top: each exports parts of any folder.
  const folderOf = (file: string) => /^(?!(?:engine|entries|generated)\/)([^/]+)\//.exec(within(file))?.[1] ?? 'top'

  it('are exactly the folders that the import order lists', () => {
    const folders = new Set(core.map(({ file }) => folderOf(file)))
    const broken = [...folders]
      .filter((folder) => !(folder in foldersBelow))
      .map(
        (folder) =>
          `packages/core/src/${folder}/: move its files to another folder, or add it to \`foldersBelow\` in ${thisFile}`,
      )
    const missing = Object.keys(foldersBelow)
      .filter((folder) => !folders.has(folder))
      .map((folder) => `${thisFile}: remove ${folder} from \`foldersBelow\`, as core has no such folder`)
    expect([...broken, ...missing]).toEqual([])
  })

  it('take the vocabulary of policies as a parameter: below resources only its types are imported', () => {
    const broken = edgesOf(core)
      .filter(({ from, to, typeOnly }) => folderOf(to) === 'vocabulary' && !typeOnly && folderOf(from) !== 'resources')
      .map(({ from, to }) => `${from} imports ${to}: take a PolicyVocabulary or PolicyRules as a parameter instead`)
    expect(broken).toEqual([])
  })

  it('import only folders below them, types included', () => {
    const broken = edgesOf(core)
      .map(({ from, to }) => ({ from, to, below: foldersBelow[folderOf(from)] as readonly string[] }))
      .filter(({ from, to, below }) => folderOf(from) !== folderOf(to) && !below.includes(folderOf(to)))
      .map(
        ({ from, to, below }) =>
          `${from} imports ${to}: remove the import. It may import ${below.join(', ') || 'no other folder'}: move what it needs there, or take it as a parameter`,
      )
    expect(broken).toEqual([])
  })
})

it('the folders of resources and models are divided by topic: none holds more than 25 files, not counting tests', () => {
  const maxFiles = 25
  const counts = new Map<string, number>()
  for (const { file } of core) {
    const folder = path.posix.dirname(file)
    if (/\/src\/(resources|models)\/./.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const broken = [...counts].filter(([, count]) => count > maxFiles)
  expect(
    broken.map(([folder, count]) => `${folder} holds ${count} files: move those of one topic to a folder`),
  ).toEqual([])
})

/**
 * Matches the declaration of an operation in a file: in full, or as an operation on documents or on expiring targets.
 */
const definitions =
  / = (operation \( \{|(get|list|create|patch|update|delete)Operation \( \w+ , \{|(get|patch)ExpiringTargetsOperation \( \w+ , \{)/g

describe('a resource folder', () => {
  const files = new Map(core.map((source) => [source.file, source]))
  // Generated lists import operations and models as an entry point of the package does, and the table of references
  // names the collections of all resources.
  const sliceOf = (file: string) => /^resources\/(?!(?:generated|references)\/)([^/]+)\//.exec(within(file))?.[1]
  const isOperation = (file: string) => (` ${files.get(file)?.code ?? ''}`.match(definitions) ?? []).length > 0
  const isResponseSchema = (file: string) => file.endsWith('-response.ts')
  const isCollection = (file: string) =>
    / documents < | (members|series) \( \{/.test(` ${files.get(file)?.code ?? ''}`) && !isOperation(file)
  const isModel = (file: string) => within(file).startsWith('models/') || (sliceOf(file) && isCollection(file))
  const inSlices = edgesOf(core).filter(({ from, to }) => sliceOf(from) && sliceOf(to))

  it('has at most one operation in a file', () => {
    const broken = core
      .filter(({ file }) => sliceOf(file) && isOperation(file))
      .filter(({ code }) => (` ${code}`.match(definitions) ?? []).length !== 1)
      .map(({ file }) => `${file}: move each operation to a file of its own, named after it`)
    expect(broken).toEqual([])
  })

  it('imports an operation only in the list of operations of its resource', () => {
    const broken = inSlices
      .filter(({ from, to }) => isOperation(to) && !(from.endsWith('/operations.ts') && sliceOf(from) === sliceOf(to)))
      .map(
        ({ from, to }) =>
          `${from} imports the operation ${to}: only the operations.ts of its folder may. Move what both need to a file without an operation`,
      )
    expect(broken).toEqual([])
  })

  it('does not import operations in response schemas', () => {
    const broken = inSlices
      .filter(({ from, to }) => isResponseSchema(from) && isOperation(to))
      .map(
        ({ from, to }) =>
          `${from} imports ${to}: move the schema that it needs from there to a file that ends in -response.ts`,
      )
    expect(broken).toEqual([])
  })

  /** Returns true when a file and everything that it imports at run time depend on storage/ and rules/ alone. */
  const dependsOnStorageAndRules = (file: string): boolean =>
    /^(storage|rules)\//.test(within(file)) ||
    (!isOperation(file) &&
      !isResponseSchema(file) &&
      edgesOf([files.get(file) as SourceFile]).every(({ to, typeOnly }) => typeOnly || dependsOnStorageAndRules(to)))

  it('has models that import only storage and rules, and from elsewhere only types', () => {
    const broken = edgesOf(core)
      .filter(({ from, to, typeOnly }) => isModel(from) && !typeOnly && !dependsOnStorageAndRules(to))
      .map(
        ({ from, to }) =>
          `${from} imports ${to}: import it as a type, or move the values that the model needs to storage/, rules/ or another model`,
      )
    expect(broken).toEqual([])
  })

  it('keeps a collection that several resources use in models/', () => {
    const broken = inSlices
      .filter(({ from, to }) => sliceOf(from) !== sliceOf(to) && isCollection(to))
      .map(
        ({ from, to }) =>
          `${from} imports ${to}: move ${to} to packages/core/src/models/${sliceOf(to)}/, as two slices use its collection`,
      )
    expect(broken).toEqual([])
  })

  it('contains operations and models that these tests find', () => {
    expect(
      core.filter(({ file }) => sliceOf(file) && isOperation(file)),
      `run \`npm run generate\`; if this still fails, edit ${thisFile}: \`definitions\` must match each way in which a file declares an operation`,
    ).toHaveLength(operations.length)
    expect(
      core.filter(({ file }) => isModel(file)).length,
      `edit ${thisFile}: \`isCollection\` must match each way in which a file declares a collection`,
    ).toBeGreaterThan(50)
    expect(
      core.filter(({ file }) => isResponseSchema(file)).length,
      `edit ${thisFile}: \`isResponseSchema\` must match the names of the files with response schemas`,
    ).toBeGreaterThan(20)
  })
})

describe('code that runs on edge runtimes', () => {
  const builtins = new Set(builtinModules)
  const edge = sources.filter(
    ({ file }) =>
      /^packages\/(core|storage-memory|transport-fetch|client)\/src\//.test(file) &&
      !isTest(file) &&
      !isForBuilds(file),
  )

  it('imports no built-in module of Node', () => {
    const broken = edge.flatMap(({ file, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('node:') || builtins.has(specifier))
        .map(
          ({ specifier }) =>
            `${file} imports ${specifier}: remove the import. The package runs on every runtime: take what it needs as an option`,
        ),
    )
    expect(broken).toEqual([])
  })

  it('does not use `performance`, which its build replaces by `undefined`', () => {
    const broken = core.filter(({ code }) => /\bperformance \./.test(code)).map(({ file }) => `${file}: use Date.now`)
    expect(broken).toEqual([])
  })

  it('reads the time, random numbers, the console and the process only through the context', () => {
    // A signature and its verification are allowed: the same bytes give the same result on every runtime.
    const forbidden =
      /\b(Date \. now|Math \. random|console \.|process \.|setTimeout|setInterval|performance \. now|crypto \. (?!subtle \. (importKey|sign|verify)\b))/
    const broken = core
      .filter(({ file }) => within(file) !== 'platform.ts')
      .flatMap(({ file, code }) => {
        const usage = forbidden.exec(code)?.[0]
        return usage
          ? [
              `${file} uses ${usage.replaceAll(' ', '')}: take it from the context, or from packages/core/src/platform.ts, the only file that may use it`,
            ]
          : []
      })
    expect(broken).toEqual([])
  })
})

describe('packages', () => {
  const names = readdirSync(path.join(root, 'packages'))
  const manifest = (name: string) => JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'))

  it('declare every package that they import', () => {
    const broken = names.flatMap((name) => {
      const {
        dependencies = {},
        peerDependencies = {},
        devDependencies = {},
        imports: importsMap = {},
      } = manifest(name)
      // The build bundles devDependencies, so that users do not install them.
      const declared = { ...dependencies, ...peerDependencies, ...devDependencies, ...importsMap }
      return sources
        .filter(({ file }) => file.startsWith(`packages/${name}/src/`) && !isTest(file))
        .flatMap(({ file, imports }) =>
          imports
            .map(({ specifier }) => /^(@[^/]+\/[^/]+|[^@./][^/]*)/.exec(specifier)?.[0] ?? '')
            .filter((used) => used !== '' && !used.startsWith('node:'))
            .filter((used) => !(used in declared))
            .map((used) => `${file} imports ${used}: add it to "dependencies" of packages/${name}/package.json`),
        )
    })
    expect(broken).toEqual([])
  })

  it('depend on each other in one direction: adapters and transports depend on core and on no resource', () => {
    const allowed: Readonly<Record<string, RegExp>> = {
      core: /^packages\/core\//,
      'storage-memory': /^packages\/(storage-memory|core)\//,
      'storage-postgres': /^packages\/(storage-postgres|core)\//,
      'storage-pglite': /^packages\/(storage-pglite|storage-postgres|core)\//,
      'transport-fetch': /^packages\/(transport-fetch|core)\//,
      'transport-express': /^packages\/(transport-express|core)\//,
      'webhook-sender': /^packages\/(webhook-sender|core)\//,
      'data-export': /^packages\/(data-export|core)\//,
      mcp: /^packages\/(mcp|openapi|core)\//,
      oidc: /^packages\/(oidc|core)\//,
      pages: /^packages\/pages\//,
      // Pages of the console validate policies and explain their decisions.
      console: /^packages\/(console|pages|core|client|testing|transport-fetch|transport-express)\//,
      openfeature: /^packages\/(openfeature|core)\//,
      client: /^packages\/(client|core)\//,
      // The generator of the reference pages runs an engine in memory with the examples of the conformance suite.
      openapi: /^packages\/(openapi|pages|core|storage-memory|testing)\//,
    }
    const broken = edgesOf(sources.filter(({ file }) => !isTest(file) && !isForBuilds(file)))
      .filter(({ from, to }) => allowed[from.split('/')[1] as string]?.test(to) === false)
      .map(
        ({ from, to }) =>
          `${from} imports ${to}: remove the import, or allow this dependency of the package in ${thisFile} and docs/architecture.md`,
      )
    expect(broken).toEqual([])
  })
})

describe('names of files', () => {
  it('state what a file contains', () => {
    const vagueName = /(^|[/-])(utils?|helpers?|common|misc|types|shared|stuff)([/.-]|$)/
    const broken = allSources
      .filter(({ file }) => vagueName.test(file))
      .map(({ file }) => `${file}: rename it after the one thing that it contains`)
    expect(broken).toEqual([])
  })

  it('are kebab-case', () => {
    const broken = sources
      .filter(({ file }) => !/^[a-z0-9./-]+$/.test(file))
      .map(({ file }) => `${file}: rename it in lower case with hyphens, such as flag-status.ts`)
    expect(broken).toEqual([])
  })

  it('belong to files that have no default export', () => {
    const configured = (file: string) => file.endsWith('.config.ts')
    const broken = sources
      .filter(({ file, code }) => /\bexport default\b/.test(code) && !configured(file))
      .map(({ file }) => `${file}: replace \`export default\` by an export with a name`)
    expect(broken).toEqual([])
  })
})

it('the repository has only the expected top-level folders', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map((entry) => entry.name)
  expect(
    folders.sort(),
    `move what a new folder contains to one of the four, or name it in ${thisFile} and docs/architecture.md`,
  ).toEqual(['bench', 'docs', 'packages', 'test'])
})
