import { flagdFormat, reportText } from '@halyard/import'

const exported = [{ flags: { beta: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } }]
const read = flagdFormat.read(exported, { environmentKey: 'production' })
if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
const text = reportText({ format: flagdFormat.title, importedProject: read.importedProject })
console.log(text.split('\n')[0]) // flagd: 1 flag and 0 segments in production
