import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../root.ts'
import { oldestManifest } from '../setup/oldest-versions.ts'

interface Versions {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const read = (file: string): Versions => JSON.parse(readFileSync(file, 'utf8'))

const { dependencies: oldest = {} } = read(oldestManifest)
const { devDependencies: newest = {} } = read(path.join(root, 'package.json'))

/**
 * Returns the oldest versions of a peer dependency that suites run with, one for each major version, in ascending
 * order.
 */
export function oldestVersions(name: string): string[] {
  const versions = Object.entries(oldest).flatMap(([alias, version]) => {
    if (alias === name) return [version]
    return version.startsWith(`npm:${name}@`) ? [version.slice(`npm:${name}@`.length)] : []
  })
  return versions.sort()
}

const inApplications = [
  '@electric-sql/pglite',
  '@openfeature/core',
  '@openfeature/server-sdk',
  '@openfeature/web-sdk',
  '@opentelemetry/api',
  'express',
  'fast-check',
  'pg',
]

/**
 * The peer dependencies that an application installs, in the oldest and in the newest versions that the tests run with.
 */
export const applicationPeers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  oldest: Object.fromEntries(inApplications.map((name) => [name, oldestVersions(name)[0] as string])),
  newest: Object.fromEntries(inApplications.map((name) => [name, newest[name] as string])),
}
