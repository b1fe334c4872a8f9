import type { Api } from '../../engine-api.ts'
import type { As } from '../../pipeline/authenticate.ts'

/** A flag as `listFlags` returns it. */
export type StoredFlag = Awaited<ReturnType<Api['listFlags']>>['items'][number]

const pageLength = 100

/** Reads all flags of a project by key, the archived ones included. */
export async function storedFlags(
  { api }: { readonly api: Pick<Api, 'listFlags'> },
  projectKey: string,
  as: As,
): Promise<Map<string, StoredFlag>> {
  const stored = new Map<string, StoredFlag>()
  // The oldest flags come first, so that a flag that is created between two pages does not move the others.
  const query = {
    projectKey,
    filter: 'state:live+deprecated+archived',
    sort: 'creationDate',
    limit: pageLength,
  } as const
  for (let offset = 0, total = 1; offset < total; offset += pageLength) {
    const page = await api.listFlags({ ...query, offset }, { as })
    for (const flag of page.items) stored.set(flag.key, flag)
    total = page.totalCount
  }
  return stored
}
