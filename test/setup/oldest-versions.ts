import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vitest/config'
import { root } from '../root.ts'

/** The vitest project that runs suites with the oldest version of each peer dependency. */
export const oldestProject = 'oldest'

/** Path of the manifest of a package that depends on the oldest versions. They are installed in its folder. */
export const oldestManifest = path.join(root, 'test/oldest-versions/package.json')

const { dependencies } = JSON.parse(readFileSync(oldestManifest, 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}

/** Returns the path of the manifest from which a vitest project resolves PGlite. */
export function pgliteDependent(project: string): string {
  return project === oldestProject ? oldestManifest : path.join(root, 'packages/storage-pglite/package.json')
}

/** Returns true for an import of a package that is installed in its oldest version, e.g. `pg` or `express/lib/view`. */
export function hasOldest(specifier: string): boolean {
  return Object.keys(dependencies).some((name) => specifier === name || specifier.startsWith(`${name}/`))
}

/** Resolves peer dependencies to their oldest versions, wherever they are imported from. */
export function resolveOldest(): Plugin {
  return {
    name: 'resolve-oldest',
    enforce: 'pre',
    resolveId(specifier) {
      return hasOldest(specifier) ? this.resolve(specifier, oldestManifest, { skipSelf: true }) : undefined
    },
  }
}
