import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import type { ChangeLogEntry } from '../../operation/change-log.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import type { Sample } from '../../storage/port.ts'

const patchWire = list(
  v.object({ op: v.string(), path: v.string(), value: v.optional(v.unknown()), from: v.optional(v.string()) }),
)

export const changeLogEntryWire = v.object({
  _links: links(),
  _id: v.string(),
  date: timestamp(),
  kind: v.string(),
  name: v.string(),
  titleVerb: v.string(),
  description: v.string(),
  comment: v.optional(v.string()),
  accesses: list(v.object({ action: v.string(), resource: v.string() })),
  member: v.optional(v.object({ _id: v.string(), _links: links() })),
  token: v.optional(v.object({ _id: v.string(), _links: links() })),
  target: v.object({ name: v.string(), resources: list(v.string()) }),
  /** Each thing that changed, how it became what it is, and the way back (RFC 6902). */
  delta: list(
    v.object({
      resource: v.string(),
      patch: patchWire,
      inverse: patchWire,
      /** What came to a set that the thing has, or left it. */
      members: v.optional(v.object({ set: v.string(), added: list(v.string()), removed: list(v.string()) })),
    }),
  ),
})

/** An entry's id names its time as well, so that it is found without an index. */
export function entryId({ at, id }: { readonly at: number; readonly id: string }): string {
  return `${at.toString(36)}-${id}`
}

/** The opposite of `entryId`; undefined for what is no entry's id. */
export function readEntryId(text: string): { readonly at: number; readonly id: string } | undefined {
  const [, time, id] = /^([0-9a-z]{1,11})-(.+)$/.exec(text) ?? []
  const at = Number.parseInt(time ?? '', 36)
  return id !== undefined && Number.isSafeInteger(at) ? { at, id } : undefined
}

export function presentEntry(
  context: Pick<ReadContext, 'wire'>,
  sample: Sample,
): v.InferOutput<typeof changeLogEntryWire> {
  const { operation, kind, name, caller, comment, changes } = sample.body as ChangeLogEntry
  const id = entryId(sample)
  const verb = verbOf(changes[0])
  return {
    _links: selfAndParent(path`/api/v2/auditlog/${id}`, '/api/v2/auditlog'),
    _id: id,
    date: context.wire.time(sample.at),
    kind,
    name,
    titleVerb: `${verb} the ${kind}`,
    description: operation,
    ...(comment === undefined ? {} : { comment }),
    accesses: changes.flatMap(({ actions, resource }) => actions.map((action) => ({ action, resource }))),
    ...(caller.memberId ? { member: named('members', caller.memberId) } : {}),
    ...(caller.tokenId ? { token: named('tokens', caller.tokenId) } : {}),
    target: { name, resources: changes.map(({ resource }) => resource) },
    delta: changes.map(({ resource, patch, inverse, members }) => ({
      resource,
      patch,
      inverse,
      ...(members ? { members } : {}),
    })),
  }
}

function named(collection: 'members' | 'tokens', id: string) {
  return { _id: id, _links: { self: linkTo(path`/api/v2/${collection}/${id}`) } }
}

function verbOf(change: ChangeLogEntry['changes'][number] | undefined): 'created' | 'deleted' | 'updated' {
  if (change?.patch[0]?.path !== '') return 'updated'
  return change.patch[0].op === 'remove' ? 'deleted' : 'created'
}
