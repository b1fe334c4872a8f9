import { createEngine } from '@halyard/core'
import { createPgliteStorage, type PgliteClient } from '@halyard/storage-pglite'

export async function addCustomers(client: PgliteClient): Promise<void> {
  await using engine = createEngine({ storage: createPgliteStorage({ client }) })
  await engine.migrate()
  const as = { role: 'admin' } as const

  // #region pglite
  await client.transaction(async (transaction) => {
    await transaction.query('insert into customers (name) values ($1)', ['acme'])
    const { api } = engine.with({ transaction })
    await api.createProject({ body: { key: 'acme', name: 'Flags of acme' } }, { as })
  })
  // #endregion

  console.log((await engine.api.getProject({ projectKey: 'acme' }, { as })).name)
}
