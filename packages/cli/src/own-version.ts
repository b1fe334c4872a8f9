import { readFile } from 'node:fs/promises'

/** Resolves with the version of this package. The file is as far below the package's folder as the built one. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
