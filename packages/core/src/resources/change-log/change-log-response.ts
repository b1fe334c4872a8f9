import * as v from 'valibot'
import { type Member, memberName, members } from '../../models/members/member.ts'
import { type Token, tokens } from '../../models/tokens/token.ts'
import type { ChangeLogEntry, LoggedChange } from '../../operation/change-log/change-log-entry.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import { shownDelta } from '../../operation/change-log/shown-change.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import { labelOf } from '../../rules/sentences/property-sentences.ts'
import { joinSentences, listed, shortName } from '../../rules/sentences/sentence.ts'
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
  /** The changes in one line, without the actor, e.g. `turned on Checkout in Production`. */
  titleVerb: v.string(),
  /** The change in one line, with its actor, e.g. `Ada Lovelace turned on Checkout in Production`. */
  title: v.string(),
  /** The changes, one line for each. */
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
  /**
   * The changes of each resource: the patch that was applied, and its inverse (RFC 6902). Their paths and values are
   * those of the response to a GET of the resource.
   */
  delta: list(
    v.object({
      resource: v.string(),
      /** Kind of the changed document, e.g. `flag-config`: several kinds can have the address of one resource. */
      kind: v.string(),
      patch: patchResponse,
      inverse: patchResponse,
      /** Keys that were added to or removed from a set of the resource. */
      members: v.optional(v.object({ set: v.string(), added: list(v.string()), removed: list(v.string()) })),
    }),
  ),
})

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

/** Serializes one entry. The names of its actors are included if the actors still exist. */
function serializeEntry(
  context: Pick<ReadContext, 'format'>,
  sample: Sample,
  actors: Actors,
): v.InferOutput<typeof changeLogEntryResponse> {
  const entry = sample.body as ChangeLogEntry
  const { kind, name, caller, comment, changes, besides: extraAccesses = [] } = entry
  const { sentences = [sentenceOfEarlierEntry(entry)] } = entry
  const id = entryId(sample)
  const line = joinSentences(sentences)
  return {
    _links: selfAndParent(path`/api/v2/auditlog/${id}`, '/api/v2/auditlog'),
    _id: id,
    date: context.format.time(sample.at),
    kind,
    name,
    titleVerb: line,
    title: `${actorName(caller, actors)} ${line}`,
    description: sentences.join('\n'),
    ...(comment === undefined ? {} : { comment }),
    accesses: [
      ...changes.flatMap(({ actions, resource }) => actions.map((action) => ({ action, resource }))),
      ...extraAccesses,
    ],
    ...serializeActor(caller, actors),
    target: { name, resources: changes.map(({ resource }) => resource) },
    delta: changes.flatMap((change) => {
      const { resource, kind: changedKind, members: set } = change
      const serializedDelta = shownDelta(change, context.format)
      if (!set && serializedDelta.patch.length + serializedDelta.inverse.length === 0) return []
      return { resource, kind: changedKind, ...serializedDelta, ...(set ? { members: set } : {}) }
    }),
  }
}

/** Returns the sentence about an entry that an earlier version stored without one: it names the changed properties. */
function sentenceOfEarlierEntry({ verb = 'updated', kind, name, changes }: ChangeLogEntry): string {
  const noun = kind.replaceAll('-', ' ')
  const [main] = changes
  const properties = verb === 'updated' && main ? shownProperties(main) : []
  if (properties.length === 0) return `${verb} the ${noun} ${shortName(name)}`
  return `changed the ${listed(properties)} of the ${noun} ${shortName(name)}`
}

function shownProperties(change: LoggedChange): readonly string[] {
  const { patch } = shownDelta(change, { time: (ms) => ms })
  const names = patch.map(({ path }) => path.replace(/^\/environments\/[^/]*/, '').split('/')[1] ?? '')
  return [...new Set(names.filter((name) => name !== '').map(labelOf))]
}

/** Returns the name of the actor at the start of a sentence. */
function actorName({ id, memberId, tokenId }: ChangeLogEntry['caller'], { members, tokens }: Actors): string {
  const member = members.get(memberId ?? '')
  const name = member ? memberName(member) : memberId
  if (name) return shortName(name)
  if (tokenId) return shortName(tokens.get(tokenId)?.name ?? tokenId)
  return id.startsWith('system/') ? 'The engine' : shortName(id.slice(id.indexOf('/') + 1))
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
