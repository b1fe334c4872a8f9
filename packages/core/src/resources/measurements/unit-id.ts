import type { Host } from '../../operation/context.ts'

const plainKey = /^[!-}][ -~]{0,127}$/

/**
 * Returns the keys under which units are stored: the keys of their contexts, or hashes of keys that are long or contain
 * characters which a storage may not accept. Keys that begin with `~` are hashed too, so that no key equals a hash.
 *
 * @returns ids in the order of the keys.
 */
export function unitIds(contextKeys: readonly string[], host: Pick<Host, 'sha256'>): Promise<string[]> {
  return Promise.all(contextKeys.map((key) => (plainKey.test(key) ? key : hashedId(key, host))))
}

async function hashedId(key: string, host: Pick<Host, 'sha256'>): Promise<string> {
  return `~${await host.sha256(key)}`
}
