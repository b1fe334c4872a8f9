import path from 'node:path'
import { pathsOf, workspacePackages } from './workspace-packages.ts'

/** A module that users can import from a package. */
export interface PublicModule {
  /** Import specifier, e.g. `@halyard/console/svg`. */
  readonly name: string
  /** Path of the module's source, from the root. */
  readonly file: string
}

export const publicModules: readonly PublicModule[] = workspacePackages.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports).flatMap(([entry, exported]) =>
    pathsOf(exported)
      .filter(([[condition]]) => condition === '@halyard/source')
      .map(([, file]) => ({
        name: path.posix.join(manifest.name, entry),
        file: path.posix.join('packages', path.basename(folder), file),
      })),
  ),
)
