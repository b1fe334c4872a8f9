import { PGlite } from '@electric-sql/pglite'
import { createEngine } from '@halyard/core'
import { createPgliteStorage } from '@halyard/storage-pglite'

const client = await PGlite.create()
await client.exec('create table audit (id text primary key, text text not null)')

// #region engine
const audited = createEngine({
  storage: createPgliteStorage({ client }),
  hooks: {
    beforeCommit({ id, sentences, addStatement }) {
      addStatement('insert into audit (id, text) values ($1, $2)', [id, sentences.join(', ')])
    },
  },
})
// #endregion

await audited.migrate()
await audited.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as: { role: 'owner' } })
const { rows } = await client.query<{ text: string }>('select text from audit')
console.log(rows.map(({ text }) => text).join(', '))
await audited.close()
await client.close()
