import { canonicalJson } from '../../rules/canonical-json.ts'
import type { QueueId, SetId, StoredRecord } from '../../storage/port.ts'

/** A record in a back-up: without the narrow row, which is derived from the body, and possibly without secrets. */
export interface ExportedDocument {
  readonly kind: 'document'
  readonly collection: string
  readonly scope: string
  readonly key: string
  readonly version: number
  readonly body: Readonly<Record<string, unknown>>
  /** Properties of the body that were omitted. */
  readonly withheld?: readonly string[]
}

export type ExportedRecord = ExportedDocument | Exclude<StoredRecord, { readonly kind: 'document' }>

/**
 * Makes a function that serializes records, each as a line without its line end. The properties of records have a fixed
 * order. The properties of documents are sorted, because the order in which they were stored is unknown when a past
 * state is exported.
 */
export function lineSerializer(): (record: ExportedRecord) => string {
  // Up to millions of keys of one set follow each other, so their common beginning is serialized once.
  let latest: SetId | undefined
  let start = ''
  return (record) => {
    if (record.kind === 'document') return documentLine(record)
    if (record.kind === 'sample') return line('sample', record.series, 'sample', orderedSample(record.sample))
    if (record.kind === 'task') return line('task', record.queue, 'task', orderedTask(record.task))
    const { set, member } = record
    if (set.name !== latest?.name || set.scope !== latest.scope) {
      latest = set
      start = `{"kind":"member","name":${JSON.stringify(set.name)},"scope":${JSON.stringify(set.scope)},"member":`
    }
    return `${start}${JSON.stringify(member)}}`
  }
}

function documentLine({ kind, collection, scope, key, version, body, withheld }: ExportedDocument): string {
  const withheldProperty = withheld && withheld.length > 0 ? { withheld } : {}
  const beginning = JSON.stringify({ kind, collection, scope, key, version, ...withheldProperty })
  return `${beginning.slice(0, -1)},"body":${canonicalJson(body)}}`
}

function line(kind: string, { name, scope }: SetId | QueueId, property: string, content: object): string {
  return JSON.stringify({ kind, name, scope, [property]: content })
}

function orderedSample({ id, at, label, values, terms, body }: Extract<StoredRecord, { kind: 'sample' }>['sample']) {
  return { id, at, label, values, ...(terms && terms.length > 0 ? { terms } : {}), body }
}

function orderedTask({ id, lane, at, due, body }: Extract<StoredRecord, { kind: 'task' }>['task']) {
  return { id, lane, at, due, body }
}
