import { flagdFormat, reportJson } from '@halyard/import'

const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
const read = flagdFormat.read(exported, { environmentKey: 'production' })
if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
const report = reportJson({ format: flagdFormat.title, importedProject: read.importedProject })
console.log(JSON.parse(report).flags[0].key) // beta
