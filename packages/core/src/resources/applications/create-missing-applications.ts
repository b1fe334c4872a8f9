import type { Writer } from '../../storage/writer.ts'
import { type Application, applications } from './application.ts'

interface EnvironmentRef {
  readonly projectKey: string
  readonly environmentKey: string
}

/** The properties of an application that an event contains. */
export type ReferencedApplication = Pick<Application, 'key'> & Partial<Pick<Application, 'name' | 'kind'>>

/**
 * Creates the applications that do not exist. Existing ones stay unchanged, because users may have renamed them.
 *
 * @param now integer ms.
 */
export async function createMissingApplications(
  tx: Writer,
  environmentRef: EnvironmentRef,
  references: readonly ReferencedApplication[],
  now: number,
): Promise<void> {
  const byKey = new Map(references.map((reference) => [reference.key, reference]))
  const { projectKey, environmentKey } = environmentRef
  const keys = [...byKey.keys()].map((applicationKey) => ({ projectKey, environmentKey, applicationKey }))
  const existing = await tx.getMany(applications, keys)
  for (const [i, reference] of keys.entries()) {
    if (existing[i]) continue
    const { key, name = key, kind = 'server' } = byKey.get(reference.applicationKey) as ReferencedApplication
    tx.insert(applications, reference, { key, name, kind, description: '', createdAt: now })
  }
}
