import * as v from 'valibot'
import { type Member, members } from '../../models/members/member.ts'
import { type Token, tokens } from '../../models/tokens/token.ts'
import type { ChangeLogEntry } from '../../operation/change-log/change-log-entry.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import type { Sample } from '../../storage/port.ts'

const patchResponse = list(
  v.object({ op: v.string(), path: v.string(), value: v.optional(v.unknown()), from: v.optional(v.string()) }),
)

export const changeLogEntryResponse = v.object({
  _links: links(),
  _id: v.string(),
  date: timestamp(),
  kind: v.string(),
  name: v.string(),
  titleVerb: v.string(),
  description: v.string(),
  comment: v.optional(v.string()),
  accesses: list(v.object({ action: v.string(), resource: v.string() })),
  /** The member who made the change, with the current name; only the id when the member no longer exists. */
  member: v.optional(
    v.object({
      _id: v.string(),
      _links: links(),
      email: v.optional(v.string()),
      firstName: v.optional(v.string()),
      lastName: v.optional(v.string()),
    }),
  ),
  token: v.optional(
    v.object({
      _id: v.string(),
      _links: links(),
      name: v.optional(v.string()),
      serviceToken: v.optional(v.boolean()),
    }),
  ),
  /** The host application, when it called in process and named no member. */
  app: v.optional(v.object({ _id: v.string(), name: v.string() })),
  target: v.object({ name: v.string(), resources: list(v.string()) }),
  /** The changes of each resource: the patch that was applied, and its inverse (RFC 6902). */
  delta: list(
    v.object({
      resource: v.string(),
      patch: patchResponse,
      inverse: patchResponse,
      /** Keys that were added to or removed from a set of the resource. */
      members: v.optional(v.object({ set: v.string(), added: list(v.string()), removed: list(v.string()) })),
    }),
  ),
})

/** Returns the id of an entry. The id contains the time of the entry, so that a lookup needs no index. */
export function entryId({ at, id }: { readonly at: number; readonly id: string }): string {
  return `${at.toString(36)}-${id}`
}

/** Parses an id that `entryId` made. Returns undefined when the text is not the id of an entry. */
export function parseEntryId(text: string): { readonly at: number; readonly id: string } | undefined {
  const [, time, id] = /^([0-9a-z]{1,11})-(.+)$/.exec(text) ?? []
  const at = Number.parseInt(time ?? '', 36)
  return id !== undefined && Number.isSafeInteger(at) ? { at, id } : undefined
}

/** Serializes entries with the current names of their actors, which are read in one request per kind of actor. */
export async function serializeEntries(
  context: Pick<ReadContext, 'tx' | 'format'>,
  samples: readonly Sample[],
): Promise<v.InferOutput<typeof changeLogEntryResponse>[]> {
  const callers = samples.map(({ body }) => (body as ChangeLogEntry).caller)
  const distinct = (ids: readonly (string | undefined)[]) => [...new Set(ids)].filter((id) => id !== undefined)
  const memberIds = distinct(callers.map(({ memberId }) => memberId))
  const tokenIds = distinct(callers.map(({ tokenId }) => tokenId))
  const [memberDocuments, tokenDocuments] = await Promise.all([
    context.tx.getMany(
      members,
      memberIds.map((memberId) => ({ memberId })),
    ),
    context.tx.getMany(
      tokens,
      tokenIds.map((id) => ({ id })),
    ),
  ])
  const actors: Actors = {
    members: new Map(memberIds.map((id, i) => [id, memberDocuments[i]])),
    tokens: new Map(tokenIds.map((id, i) => [id, tokenDocuments[i]])),
  }
  return samples.map((sample) => serializeEntry(context, sample, actors))
}

interface Actors {
  readonly members: ReadonlyMap<string, Member | undefined>
  readonly tokens: ReadonlyMap<string, Token | undefined>
}

/** Serializes one entry with the names of its actors, as far as these still exist. */
function serializeEntry(
  context: Pick<ReadContext, 'format'>,
  sample: Sample,
  actors: Actors,
): v.InferOutput<typeof changeLogEntryResponse> {
  const {
    operation,
    description = operation,
    kind,
    name,
    caller,
    comment,
    changes,
    besides: extraAccesses = [],
  } = sample.body as ChangeLogEntry
  const { verb = 'updated' } = sample.body as ChangeLogEntry
  const id = entryId(sample)
  return {
    _links: selfAndParent(path`/api/v2/auditlog/${id}`, '/api/v2/auditlog'),
    _id: id,
    date: context.format.time(sample.at),
    kind,
    name,
    titleVerb: `${verb} the ${kind.replaceAll('-', ' ')}`,
    description,
    ...(comment === undefined ? {} : { comment }),
    accesses: [
      ...changes.flatMap(({ actions, resource }) => actions.map((action) => ({ action, resource }))),
      ...extraAccesses,
    ],
    ...serializeActor(caller, actors),
    target: { name, resources: changes.map(({ resource }) => resource) },
    delta: changes.map(({ resource, patch, inverse, members: set }) => ({
      resource,
      patch,
      inverse,
      ...(set ? { members: set } : {}),
    })),
  }
}

function serializeActor({ id, memberId, tokenId }: ChangeLogEntry['caller'], actors: Actors) {
  const { email, firstName, lastName } = actors.members.get(memberId ?? '') ?? {}
  const { name, serviceToken } = actors.tokens.get(tokenId ?? '') ?? {}
  return {
    ...(memberId ? { member: { ...actor('members', memberId), email, firstName, lastName } } : {}),
    ...(tokenId ? { token: { ...actor('tokens', tokenId), name, serviceToken } } : {}),
    ...(memberId || tokenId ? {} : { app: { _id: id, name: id.slice(id.indexOf('/') + 1) } }),
  }
}

function actor(collection: 'members' | 'tokens', id: string) {
  return { _id: id, _links: { self: linkTo(path`/api/v2/${collection}/${id}`) } }
}
