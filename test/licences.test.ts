import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './source-imports.ts'

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
function found(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const place = path.join(folder, 'node_modules', name)
    if (existsSync(place)) return realpathSync(place)
    if (folder === path.dirname(folder)) return undefined
  }
}

/** Returns every package that users of Halyard install, read from the packages installed here. */
function shipped(): Map<string, Manifest> {
  const all = new Map<string, Manifest>()
  const visit = (folder: string) => {
    if (all.has(folder)) return
    const manifest = manifestIn(folder)
    all.set(folder, manifest)
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const place = found(name, folder)
      if (!place) throw new Error(`${manifest.name} needs ${name}, which is not installed`)
      visit(place)
    }
    for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
      const place = found(name, folder)
      if (place) visit(place)
    }
  }
  const packages = path.join(root, 'packages')
  for (const name of readdirSync(packages)) visit(realpathSync(path.join(packages, name)))
  return all
}

/** Of `(MIT OR GPL-3.0)` one part must be allowed, of `MIT AND ISC` every part. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '')
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((one) => allowed.has(one.trim())))
}

it('every shipped package has a permissive license', () => {
  const all = [...shipped().values()]
  expect(all.length).toBeGreaterThan(20)
  const refused = all
    .filter(({ license }) => typeof license !== 'string' || !isAllowed(license))
    .map(({ name, version, license }) => `${name}@${version}: ${JSON.stringify(license)}`)
  expect(refused).toEqual([])
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
