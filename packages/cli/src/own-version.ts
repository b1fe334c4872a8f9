import { readFile } from 'node:fs/promises'

/** Resolves with the version of this package. This source is as many folders below package.json as the built file. */
export async function ownVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
