import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { text } from '../importing/flagd-export.ts'

// #region import
import { compareImport, flagdFormat, reportText, writeProject } from '@halyard/import'

const exported = [JSON.parse(text)]
const read = flagdFormat.read(exported, { environmentKey: 'production' })
if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
const compared = await compareImport(flagdFormat, exported, read.importedProject)
console.log(reportText({ format: flagdFormat.title, importedProject: read.importedProject, ...compared }))
// #endregion

const engine = createEngine({ storage: createMemoryStorage() })
await engine.as({ role: 'owner' }).createProject({ body: { key: 'shop', name: 'Shop' } })
// #region write
const api = engine.as({ role: 'owner' })
const written = await writeProject(read.importedProject, { api, projectKey: 'shop' })
// #endregion
console.log(written.flags.created)
