import type { Host } from '../../operation/context.ts'

const plainKey = /^[!-}][ -~]{0,127}$/

/**
 * Returns the keys under which units are stored: the keys of their contexts, or hashes of keys that are long or contain
 * characters that some storages do not accept. Keys that begin with `~` are hashed too, so that no key equals a hash.
 *
 * @returns ids in the order of the keys.
 */
export async function unitIds(contextKeys: readonly string[], host: Pick<Host, 'sha256'>): Promise<string[]> {
  const ids: string[] = []
  // A promise for each plain key would cost more than the rest of the function: batches have ten thousand of them.
  for (const key of contextKeys) ids.push(plainKey.test(key) ? key : `~${await host.sha256(key)}`)
  return ids
}
