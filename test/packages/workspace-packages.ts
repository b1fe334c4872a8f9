import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../source-imports.ts'

/** Conditions of an export, each a path or nested conditions. */
export type ExportConditions = string | { readonly [condition: string]: ExportConditions }

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly license?: string
  readonly type?: string
  readonly sideEffects?: boolean | readonly string[]
  readonly engines?: { readonly node?: string }
  readonly files?: readonly string[]
  /** Names by which a package imports files that only its build writes, each with paths by condition. */
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly exports: { readonly [entry: string]: ExportConditions }
  readonly publishConfig?: { readonly access?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface WorkspacePackage {
  readonly folder: string
  readonly manifest: Manifest
}

/** The packages that are published. */
export const workspacePackages: readonly WorkspacePackage[] = readdirSync(path.join(root, 'packages')).map((name) => {
  const folder = path.join(root, 'packages', name)
  return { folder, manifest: JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) }
})

/** Returns the paths of an entry with their conditions, e.g. `['import', 'types']`. */
export function pathsOf(exported: ExportConditions, conditions: readonly string[] = []): [readonly string[], string][] {
  if (typeof exported === 'string') return [[conditions, exported]]
  return Object.entries(exported).flatMap(([condition, inner]) => pathsOf(inner, [...conditions, condition]))
}
