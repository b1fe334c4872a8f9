import { flagdFormat, isInterruption, writeProject } from '@halyard/import'
import { createTestEngine } from '@halyard/testing'

const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
const read = flagdFormat.read(exported, { environmentKey: 'production' })
if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
const engine = await createTestEngine()
await engine.given.project('web')
const target = { api: engine.as({ role: 'owner' }), projectKey: 'web' }
const error = await writeProject(read.importedProject, target, { signal: AbortSignal.abort() }).catch(
  (reason) => reason,
)
console.log(isInterruption(error)) // true
