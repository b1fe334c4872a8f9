import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { isTest, root, type SourceFile, sourcesUnder } from './source-imports.ts'

const { operations } = createEngine({ storage: createMemoryStorage() })

/** Each broken rule is one line: the file, what it does, and the rule that it breaks. */
const sources = sourcesUnder('packages')
const house = [...sources, ...sourcesUnder('test'), ...sourcesUnder('bench'), ...sourcesUnder('docs')]

/** What makes files of a package, and is not in it. */
const isForBuilds = (file: string) => /\/src\/build\//.test(file)

const core = sources.filter(({ file }) => file.startsWith('packages/core/src/') && !isTest(file) && !isForBuilds(file))

interface Edge {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const edgesOf = (files: readonly SourceFile[]): Edge[] =>
  files.flatMap(({ file, imports }) =>
    imports.flatMap(({ target, typeOnly }) => (target ? [{ from: file, to: target, typeOnly }] : [])),
  )

const within = (file: string) => file.replace('packages/core/src/', '')

describe('the ladder of core', () => {
  const rungs: Readonly<Record<string, number>> = { rules: 0, storage: 1, operation: 2, pipeline: 3, resources: 3 }
  // Entry points belong to the top: each exports parts of any rung.
  const roomOf = (file: string) => /^(?!entries\/)([^/]+)\//.exec(within(file))?.[1] ?? 'top'
  const rungOf = (file: string) => rungs[roomOf(file)] ?? 4

  it('has a rung for every room', () => {
    const rooms = new Set(core.map(({ file }) => roomOf(file)))
    expect([...rooms].sort()).toEqual(['operation', 'pipeline', 'resources', 'rules', 'storage', 'top'])
  })

  it('is only climbed down, and rooms of one rung never meet', () => {
    const broken = edgesOf(core)
      .filter(({ from, to }) => roomOf(from) !== roomOf(to) && rungOf(to) >= rungOf(from))
      .map(
        ({ from, to }) =>
          `${from} imports ${to}: imports go down the ladder rules < storage < operation < pipeline | resources < engine`,
      )
    expect(broken).toEqual([])
  })
})

/** How a file declares a card: at length, or as one of the cards that the kernel completes. */
const cards = / (operation \( \{|(get|list|create|patch|update|delete)Card \( \w+ , \{)/g

describe('the ladder of slices', () => {
  const files = new Map(core.map((source) => [source.file, source]))
  const sliceOf = (file: string) => /^resources\/([^/]+)\//.exec(within(file))?.[1]
  const isCard = (file: string) => (` ${files.get(file)?.code ?? ''}`.match(cards) ?? []).length > 0
  const isWire = (file: string) => file.endsWith('-wire.ts')
  const isModel = (file: string) =>
    / documents < | (members|series) \( \{/.test(` ${files.get(file)?.code ?? ''}`) && !isCard(file)
  const inSlices = edgesOf(core).filter(({ from, to }) => sliceOf(from) && sliceOf(to))

  it('has one card in a file, named after its operation', () => {
    const broken = core
      .filter(({ file }) => sliceOf(file) && isCard(file))
      .filter(({ code }) => (` ${code}`.match(cards) ?? []).length !== 1)
      .map(({ file }) => `${file}: one file holds one card`)
    expect(broken).toEqual([])
  })

  it('lets nobody but its own index know a card', () => {
    const broken = inSlices
      .filter(({ from, to }) => isCard(to) && !(from.endsWith('/index.ts') && sliceOf(from) === sliceOf(to)))
      .map(({ from, to }) => `${from} imports the card ${to}: a card is known to the index of its slice alone`)
    expect(broken).toEqual([])
  })

  it('lets wire files see wires and models, never cards', () => {
    const broken = inSlices
      .filter(({ from, to }) => isWire(from) && isCard(to))
      .map(({ from, to }) => `${from} imports ${to}: a wire file looks at wires and models`)
    expect(broken).toEqual([])
  })

  /** Whether a file stands on storage/ and rules/ alone, itself and all that it imports for more than a type. */
  const isGrounded = (file: string): boolean =>
    /^(storage|rules)\//.test(within(file)) ||
    (!isCard(file) &&
      !isWire(file) &&
      edgesOf([files.get(file) as SourceFile]).every(({ to, typeOnly }) => typeOnly || isGrounded(to)))

  it('lets models and their pure rules see storage and rules, and of the rest types only', () => {
    const broken = edgesOf(core)
      .filter(({ from, to, typeOnly }) => sliceOf(from) && isModel(from) && !typeOnly && !isGrounded(to))
      .map(({ from, to }) => `${from} imports ${to}: a model stands on storage/ and rules/`)
    expect(broken).toEqual([])
  })

  it('finds every card and model that there is', () => {
    expect(core.filter(({ file }) => sliceOf(file) && isCard(file))).toHaveLength(operations.length)
    expect(core.filter(({ file }) => sliceOf(file) && isModel(file)).length).toBeGreaterThan(8)
  })
})

it('has no import cycles', () => {
  const next = new Map<string, string[]>()
  for (const { from, to, typeOnly } of edgesOf(house)) if (!typeOnly) next.set(from, [...(next.get(from) ?? []), to])
  expect(cyclesIn(next)).toEqual([])
})

describe('what core and everything meant for the edge must not touch', () => {
  const builtins = new Set(builtinModules)
  const edge = sources.filter(
    ({ file }) =>
      /^packages\/(core|storage-memory|transport-fetch|client)\/src\//.test(file) &&
      !isTest(file) &&
      !isForBuilds(file),
  )

  it('is Node: no built-in module', () => {
    const broken = edge.flatMap(({ file, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('node:') || builtins.has(specifier))
        .map(({ specifier }) => `${file} imports ${specifier}: it must run on every runtime`),
    )
    expect(broken).toEqual([])
  })

  it('is time, chance, the console or the process: they come with the context', () => {
    // A signature is none of these: the same bytes give the same everywhere.
    const forbidden =
      /\b(Date \. now|Math \. random|console \.|process \.|setTimeout|setInterval|performance \. now|crypto \. (?!subtle \. (importKey|sign)\b))/
    const broken = core
      .filter(({ file }) => within(file) !== 'platform.ts')
      .flatMap(({ file, code }) => {
        const found = forbidden.exec(code)?.[0]
        return found ? [`${file} uses ${found.replaceAll(' ', '')}: only platform.ts touches the platform`] : []
      })
    expect(broken).toEqual([])
  })
})

describe('packages', () => {
  const names = readdirSync(path.join(root, 'packages'))
  const manifest = (name: string) => JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'))

  it('declare whatever they import', () => {
    const broken = names.flatMap((name) => {
      const { dependencies = {}, peerDependencies = {}, devDependencies = {}, imports: own = {} } = manifest(name)
      // What a package names for its development goes into its build, so that users do not install it.
      const named = { ...dependencies, ...peerDependencies, ...devDependencies, ...own }
      return sources
        .filter(({ file }) => file.startsWith(`packages/${name}/src/`) && !isTest(file))
        .flatMap(({ file, imports }) =>
          imports
            .map(({ specifier }) => /^(@[^/]+\/[^/]+|[^@./][^/]*)/.exec(specifier)?.[0] ?? '')
            .filter((used) => used !== '' && !used.startsWith('node:'))
            .filter((used) => !(used in named))
            .map((used) => `${file} imports ${used}: packages/${name}/package.json does not name it`),
        )
    })
    expect(broken).toEqual([])
  })

  it('know each other in one direction: adapters and transports know core and no resource', () => {
    const allowed: Readonly<Record<string, RegExp>> = {
      core: /^packages\/core\//,
      'storage-memory': /^packages\/(storage-memory|core)\//,
      'storage-postgres': /^packages\/(storage-postgres|core)\//,
      'storage-pglite': /^packages\/(storage-pglite|storage-postgres|core)\//,
      'transport-fetch': /^packages\/(transport-fetch|core)\//,
      'transport-express': /^packages\/(transport-express|core)\//,
      'webhook-sender': /^packages\/(webhook-sender|core)\//,
      pages: /^packages\/pages\//,
      console: /^packages\/(console|pages|core)\//,
      openfeature: /^packages\/(openfeature|core)\//,
      client: /^packages\/(client|core)\//,
      // What makes the reference runs an engine in memory, with the examples of the conformance run.
      openapi: /^packages\/(openapi|pages|core|storage-memory|testing)\//,
    }
    const broken = edgesOf(sources.filter(({ file }) => !isTest(file) && !isForBuilds(file)))
      .filter(({ from, to }) => allowed[from.split('/')[1] as string]?.test(to) === false)
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(broken).toEqual([])
  })
})

describe('names', () => {
  it('say what a file is about', () => {
    const junk = /(^|[/-])(utils?|helpers?|common|misc|types|shared|stuff)([/.-]|$)/
    const broken = house.map(({ file }) => file).filter((file) => junk.test(file))
    expect(broken).toEqual([])
  })

  it('are kebab-case', () => {
    const broken = sources.map(({ file }) => file).filter((file) => !/^[a-z0-9./-]+$/.test(file))
    expect(broken).toEqual([])
  })

  it('are exported by name', () => {
    const configured = (file: string) => file.endsWith('.config.ts')
    const broken = sources
      .filter(({ file, code }) => /\bexport default\b/.test(code) && !configured(file))
      .map(({ file }) => file)
    expect(broken).toEqual([])
  })
})

it('has the rooms at the top that a reader expects, and no other', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map((entry) => entry.name)
  expect(folders.sort()).toEqual(['bench', 'docs', 'packages', 'test'])
})

/** Every circle once, each as `a -> b -> a`. */
function cyclesIn(next: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const to of next.get(file) ?? []) walk(to, [...trail, file])
    done.add(file)
  }
  for (const file of next.keys()) walk(file, [])
  return cycles
}
