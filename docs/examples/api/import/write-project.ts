import { flagdFormat, writeProject } from '@halyard/import'
import { createTestEngine } from '@halyard/testing'

const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
const read = flagdFormat.read(exported, { environmentKey: 'production' })
if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
const engine = await createTestEngine()
await engine.given.project('web')
const { flags } = await writeProject(read.importedProject, { api: engine.as({ role: 'owner' }), projectKey: 'web' })
console.log(flags.created) // 1
