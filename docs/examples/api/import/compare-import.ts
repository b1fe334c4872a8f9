import { compareImport, flagdFormat } from '@halyard/import'

const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
const read = flagdFormat.read(exported, { environmentKey: 'production' })
if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
const { refused } = await compareImport(flagdFormat, exported, read.importedProject, { contexts: 10 })
console.log(refused.length) // 0
