import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../source-imports.ts'
import { type Exported, pathsOf, workspacePackages } from './workspace-packages.ts'

/** Those that an application which is not written in modules embeds. The others are run, or used by test runners. */
const forBothFormats = [
  '@halyard/core',
  '@halyard/openfeature',
  '@halyard/opentelemetry',
  '@halyard/storage-memory',
  '@halyard/storage-pglite',
  '@halyard/storage-postgres',
  '@halyard/transport-express',
  '@halyard/transport-fetch',
  '@halyard/webhook-sender',
]

describe.each(workspacePackages)('$manifest.name', ({ folder, manifest }) => {
  const entries = Object.entries(manifest.exports).filter(([entry]) => entry !== './package.json')

  it('says what it is', () => {
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

  it('ships what is built and nothing else', () => {
    expect(manifest.files).toEqual(['dist'])
    const shipped = entries.flatMap(([, exported]) => pathsOf(exported))
    for (const [[condition], file] of shipped) {
      expect(file).toMatch(condition === '@halyard/source' ? /^\.\/src\// : /^\.\/dist\//)
    }
  })

  it('exports its sources first, and types before what they describe', () => {
    for (const [, exported] of entries) {
      const [source] = Object.entries(exported as Record<string, Exported>)
      expect(source?.[0]).toBe('@halyard/source')
      expect(existsSync(path.join(folder, source?.[1] as string))).toBe(true)
      for (const [conditions, file] of pathsOf(exported)) {
        if (conditions.at(-1) === 'default') expect(typesBeside(exported, conditions)).toBe(declarationsOf(file))
      }
    }
  })

  it('has types for the modules that its build writes, which are not there while it declares its own', () => {
    for (const written of Object.values(manifest.imports ?? {})) {
      expect(Object.keys(written)).toEqual(['@halyard/source', 'types', 'default'])
      expect(existsSync(path.join(folder, written['@halyard/source'] as string))).toBe(true)
      expect(written.types).toBe(written['@halyard/source'])
    }
  })

  it('can be required where applications do', () => {
    const formats = pathsOf(manifest.exports['.'] as Exported).map(([, file]) => path.extname(file))
    expect(formats.includes('.cjs')).toBe(forBothFormats.includes(manifest.name))
  })

  it('has no side effects but those of its command', () => {
    expect(manifest.sideEffects).toEqual(manifest.name === '@halyard/cli' ? ['./dist/main.js'] : false)
  })

  it('names exact versions of what it brings, and ranges of what its host brings, which the tests run with', () => {
    for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
      expect(`${name} ${version}`).toMatch(name.startsWith('@halyard/') ? / workspace:\*$/ : / \d+\.\d+\.\d+$/)
    }
    for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
      // Packing writes the version in its place.
      if (name.startsWith('@halyard/')) expect(range).toBe('workspace:^')
      else
        expect({ name, range, satisfied: isInRange(installedVersion(folder, name), range) }).toMatchObject({
          satisfied: true,
        })
    }
  })
})

/** Returns true when a version satisfies a caret range, e.g. `^1.17.0`, or one of several, which `||` separates. */
function isInRange(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return range.split('||').some((alternative) => {
    const [, ...numbers] = /^\^(\d+)\.(\d+)\.(\d+)$/.exec(alternative.trim()) ?? []
    const [minMajor, minMinor = 0, minPatch = 0] = numbers.map(Number)
    return major === minMajor && (minor > minMinor || (minor === minMinor && patch >= minPatch))
  })
}

/** Of a package that a folder's own tests or those of the whole house run with. */
function installedVersion(folder: string, name: string): string {
  const places = [folder, root].map((one) => path.join(one, 'node_modules', name, 'package.json'))
  return JSON.parse(readFileSync(places.find((one) => existsSync(one)) as string, 'utf8')).version
}

/** The types that stand before a path, in the same conditions. */
function typesBeside(exported: Exported, conditions: readonly string[]): Exported | undefined {
  const beside = conditions
    .slice(0, -1)
    .reduce<Exported>((at, one) => (at as Record<string, Exported>)[one] as Exported, exported)
  const [first] = Object.entries(beside).filter(([condition]) => condition !== '@halyard/source')
  return first?.[0] === 'types' ? first[1] : undefined
}

/** Modules that are files of their own are declared where the whole is. */
function declarationsOf(file: string): string {
  return file
    .replace('/modules/', '/')
    .replace(/\.cjs$/, '.d.cts')
    .replace(/\.js$/, '.d.ts')
}
