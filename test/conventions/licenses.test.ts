import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../source-imports.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Licenses that let anyone ship software built with Halyard, with at most a copy of the notice. */
const allowed: ReadonlySet<string> = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'PostgreSQL',
  'Unlicense',
  'CC0-1.0',
])

const manifestIn = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest

/**
 * Returns the folder from which Node loads a package, or undefined for an optional package that does not support this
 * platform.
 */
function resolvePackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const packageFolder = path.join(folder, 'node_modules', name)
    if (existsSync(packageFolder)) return realpathSync(packageFolder)
    if (folder === path.dirname(folder)) return undefined
  }
}

/** Returns every package that users of Halyard install, read from the packages installed here. */
function installedPackages(): Map<string, Manifest> {
  const manifests = new Map<string, Manifest>()
  const visit = (folder: string) => {
    if (manifests.has(folder)) return
    const manifest = manifestIn(folder)
    manifests.set(folder, manifest)
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const packageFolder = resolvePackage(name, folder)
      if (!packageFolder) throw new Error(`${manifest.name} needs ${name}, which is not installed`)
      visit(packageFolder)
    }
    for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
      const packageFolder = resolvePackage(name, folder)
      if (packageFolder) visit(packageFolder)
    }
  }
  const packages = path.join(root, 'packages')
  for (const name of readdirSync(packages)) visit(realpathSync(path.join(packages, name)))
  return manifests
}

/**
 * Returns true if a license expression is allowed. For `(MIT OR GPL-3.0)` one part must be allowed; for `MIT AND ISC`
 * both parts must be allowed.
 */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '')
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((license) => allowed.has(license.trim())))
}

it('every shipped package has a permissive license', () => {
  const manifests = [...installedPackages().values()]
  expect(manifests.length).toBeGreaterThan(20)
  const forbidden = manifests
    .filter(({ license }) => typeof license !== 'string' || !isAllowed(license))
    .map(
      ({ name, version, license }) =>
        `${name}@${version} has the license ${JSON.stringify(license)}: remove it from "dependencies" of the package that brings it, or add the license to \`allowed\` in test/conventions/licenses.test.ts if it is permissive`,
    )
  expect(forbidden).toEqual([])
})

it.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['MIT AND GPL-3.0', false],
  ['AGPL-3.0', false],
  ['SEE LICENSE IN x', false],
])('the check accepts the license expression %s: %s', (expression, expected) => {
  expect(isAllowed(expression)).toBe(expected)
})
