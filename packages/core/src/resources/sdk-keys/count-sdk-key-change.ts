import { environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Increases the version of an environment with a change of one of its SDK keys. Relays ignore an environment whose
 * version has not increased, and would accept a deleted key until the next change of the environment itself
 * (docs/decisions/0142-limit-relays-by-the-rights-of-their-authors.md).
 */
export async function countSdkKeyChange(tx: Writer, keys: EnvironmentKeys): Promise<void> {
  const environment = await tx.get(environments, keys)
  if (environment) tx.touch(environments, keys, environment)
}
