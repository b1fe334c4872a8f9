import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Loads a package that is not a dependency of `@halyard/import`. Finds it from the folder in which `@halyard/import` is
 * installed, or else from the working directory.
 *
 * @returns its exports; undefined when it is not installed.
 */
export async function loadPeer(name: string): Promise<unknown> {
  return (await exportsOf(name)) ?? (await exportsOf(fromWorkingDirectory(name)))
}

function fromWorkingDirectory(name: string): string | undefined {
  try {
    const resolved = createRequire(path.join(process.cwd(), 'package.json')).resolve(name)
    return pathToFileURL(resolved).href
  } catch {
    return undefined
  }
}

async function exportsOf(specifier: string | undefined): Promise<unknown> {
  if (specifier === undefined) return undefined
  try {
    const { default: defaultExport, ...namedExports } = (await import(/* @vite-ignore */ specifier)) as Record<
      string,
      object
    >
    return { ...defaultExport, ...namedExports }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
