import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../source-imports.ts'
import { oldestVersions } from './peer-versions.ts'
import { type ExportConditions, pathsOf, workspacePackages } from './workspace-packages.ts'

/** Packages that applications in CommonJS embed. The other packages are commands, or are used by test runners. */
const forBothFormats = [
  '@halyard/core',
  '@halyard/data-export',
  '@halyard/oauth-server',
  '@halyard/oidc',
  '@halyard/openfeature',
  '@halyard/opentelemetry',
  '@halyard/storage-memory',
  '@halyard/storage-pglite',
  '@halyard/storage-postgres',
  '@halyard/storage-sqlite',
  '@halyard/transport-express',
  '@halyard/transport-fetch',
  '@halyard/webhook-sender',
]

describe.each(workspacePackages)('$manifest.name', ({ folder, manifest }) => {
  const entries = Object.entries(manifest.exports).filter(([entry]) => entry !== './package.json')

  it('has complete metadata and a README', () => {
    expect(manifest).toMatchObject({
      name: `@halyard/${path.basename(folder)}`,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      description: expect.stringMatching(/^[A-Z].{20,}\.$/),
      keywords: expect.arrayContaining(['halyard', 'feature-flags']),
      homepage: 'https://github.com/halyard-flags/halyard#readme',
      bugs: { url: 'https://github.com/halyard-flags/halyard/issues' },
      license: 'MIT',
      repository: {
        type: 'git',
        url: 'git+https://github.com/halyard-flags/halyard.git',
        directory: path.relative(root, folder).replaceAll(path.sep, '/'),
      },
      type: 'module',
      engines: { node: '>=20.19' },
      publishConfig: { access: 'public' },
    })
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8')
    expect(readme).toContain(`# ${manifest.name}\n`)
    expect(readme).toContain(manifest.description)
    expect(readme).toMatch(new RegExp(`^npm install .*${manifest.name}( |$)`, 'm'))
    expect(readme).toMatch(/^```(ts|js|sh)$/m)
  })

  it('ships only built files', () => {
    expect(manifest.files).toEqual(['dist'])
    const exportedFiles = entries.flatMap(([, exported]) => pathsOf(exported))
    for (const [[condition], file] of exportedFiles) {
      expect(file).toMatch(condition === '@halyard/source' ? /^\.\/src\// : /^\.\/dist\//)
    }
  })

  it('exports its sources first, and types before the file they describe', () => {
    for (const [, exported] of entries) {
      const [source] = Object.entries(exported as Record<string, ExportConditions>)
      expect(source?.[0]).toBe('@halyard/source')
      expect(existsSync(path.join(folder, source?.[1] as string))).toBe(true)
      for (const [conditions, file] of pathsOf(exported)) {
        if (conditions.at(-1) === 'default') expect(typesNextTo(exported, conditions)).toBe(declarationsOf(file))
      }
    }
  })

  it('has types for the modules that its build generates', () => {
    for (const conditions of Object.values(manifest.imports ?? {})) {
      expect(Object.keys(conditions)).toEqual(['@halyard/source', 'types', 'default'])
      expect(existsSync(path.join(folder, conditions['@halyard/source'] as string))).toBe(true)
      expect(conditions.types).toBe(conditions['@halyard/source'])
    }
  })

  it('can be loaded with require() if applications embed it', () => {
    const formats = pathsOf(manifest.exports['.'] as ExportConditions).map(([, file]) => path.extname(file))
    expect(formats.includes('.cjs')).toBe(forBothFormats.includes(manifest.name))
  })

  it('declares no side effects, except those of the command', () => {
    expect(manifest.sideEffects).toEqual(manifest.name === '@halyard/cli' ? ['./dist/main.js'] : false)
  })

  it('declares its dependencies as ranges', () => {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      expect(`${name} ${range}`).toMatch(name.startsWith('@halyard/') ? / workspace:\^$/ : / \^\d+\.\d+\.\d+$/)
    }
  })

  it('has ranges of peer dependencies from the oldest tested version to the newest', () => {
    for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
      // Packing replaces this range with the version.
      if (name.startsWith('@halyard/')) expect(range).toBe('workspace:^')
      else {
        const version = installedVersion(folder, name)
        expect({ name, first: firstVersions(range) }).toEqual({ name, first: oldestVersions(name) })
        expect({ name, range, version, isIncluded: isInRange(version, range) }).toMatchObject({ isIncluded: true })
      }
    }
  })
})

/** Returns the first version of each alternative of a range, e.g. `4.17.0` and `5.0.0` of `^4.17.0 || ^5.0.0`. */
function firstVersions(range: string): string[] {
  return range.split(' || ').map((alternative) => alternative.replace(/^(\^|>=)/, ''))
}

/** Returns true when a version is in a range of alternatives such as `^1.17.0` and `>=8.11.0`. */
function isInRange(version: string, range: string): boolean {
  const numbers = (text: string) => text.split('.').map(Number) as [number, number, number]
  const [major, minor, patch] = numbers(version)
  return range.split(' || ').some((alternative) => {
    const [firstMajor, firstMinor, firstPatch] = numbers(firstVersions(alternative)[0] as string)
    if (major !== firstMajor) return major > firstMajor && alternative.startsWith('>=')
    return minor > firstMinor || (minor === firstMinor && patch >= firstPatch)
  })
}

/** Returns the version of a package that the tests of a folder, or of the repository, run with. */
function installedVersion(folder: string, name: string): string {
  const candidates = [folder, root].map((folderOrFile) => path.join(folderOrFile, 'node_modules', name, 'package.json'))
  return JSON.parse(readFileSync(candidates.find((folderOrFile) => existsSync(folderOrFile)) as string, 'utf8')).version
}

/** Returns the types that precede a path under the same conditions. */
function typesNextTo(exported: ExportConditions, conditions: readonly string[]): ExportConditions | undefined {
  const siblings = conditions
    .slice(0, -1)
    .reduce<ExportConditions>(
      (conditions, folderOrFile) => (conditions as Record<string, ExportConditions>)[folderOrFile] as ExportConditions,
      exported,
    )
  const [first] = Object.entries(siblings).filter(([condition]) => condition !== '@halyard/source')
  return first?.[0] === 'types' ? first[1] : undefined
}

/** Returns the declaration file of a module. */
function declarationsOf(file: string): string {
  return file.replace(/\.cjs$/, '.d.cts').replace(/\.js$/, '.d.ts')
}
