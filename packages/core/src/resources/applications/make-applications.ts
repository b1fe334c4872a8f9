import type { Writer } from '../../storage/writer.ts'
import { type Application, applications } from './application.ts'

interface Place {
  readonly projectKey: string
  readonly environmentKey: string
}

/** The properties of an application that an event contains. */
export type Named = Pick<Application, 'key'> & Partial<Pick<Application, 'name' | 'kind'>>

/**
 * Creates the applications that do not exist. Existing ones stay unchanged, because users may have renamed them.
 *
 * @param now integer ms.
 */
export async function makeApplications(tx: Writer, place: Place, named: readonly Named[], now: number): Promise<void> {
  const byKey = new Map(named.map((one) => [one.key, one]))
  const { projectKey, environmentKey } = place
  const keys = [...byKey.keys()].map((applicationKey) => ({ projectKey, environmentKey, applicationKey }))
  const known = await tx.getMany(applications, keys)
  for (const [i, one] of keys.entries()) {
    if (known[i]) continue
    const { key, name = key, kind = 'server' } = byKey.get(one.applicationKey) as Named
    tx.insert(applications, one, { key, name, kind, description: '', createdAt: now })
  }
}
