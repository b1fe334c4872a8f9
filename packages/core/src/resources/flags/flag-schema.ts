import * as v from 'valibot'
import { type Flag, flags } from '../../models/flags/flag.ts'
import { members } from '../../models/members/member.ts'
import type { ReadContext } from '../../operation/context.ts'
import { type Link, path, selfAndParent } from '../../operation/link.ts'
import { accessDetails, dictionary, key, links, list, name, tags, text, timestamp } from '../../operation/schema.ts'
import { isPrototypeName } from '../../rules/json-patch/pointer.ts'
import { type MemberSummary, memberSummaryResponse, serializeMemberSummary } from '../members/member-schema.ts'
import { clientSideAvailability } from '../projects/project-schema.ts'
import { variationIndex } from '../targeting/targeting-schema.ts'
import {
  type ConfigResponse,
  configResponse,
  configSettings,
  type ResponseView,
  serializeConfig,
} from './flag-config-schema.ts'
import type { FlagState } from './flag-state.ts'

/** A variation in a request. A new variation gets an id. */
export const variationRequest = v.strictObject({
  _id: v.optional(v.string()),
  value: v.unknown(),
  name: v.optional(name()),
  description: v.optional(text()),
})

/** Schema of the key of a custom property, often the key of an integration. */
export const propertyKey = () =>
  v.pipe(
    key(),
    v.check((value) => !isPrototypeName(value), 'must not be the name of a built-in property of objects'),
  )

export const propertyValues = () => list(v.pipe(v.string(), v.maxLength(1000, 'must have at most 1000 characters')))

/** Properties of a flag that a caller can set at creation and with a JSON Patch. */
export const flagSettings = v.object({
  name: name(),
  description: v.optional(text(), ''),
  variations: list(variationRequest),
  defaults: v.strictObject({ onVariation: variationIndex(), offVariation: variationIndex() }),
  temporary: v.boolean(),
  tags: tags(),
  includeInSnippet: v.boolean(),
  clientSideAvailability,
  maintainerId: v.optional(v.string()),
  maintainerTeamKey: v.optional(key()),
  customProperties: dictionary(propertyKey(), v.strictObject({ name: name(), value: propertyValues() })),
  archived: v.boolean(),
  deprecated: v.boolean(),
})

/** The names of the settings that allow client-side SDKs to read a flag. */
export const flagSnippet = { alias: 'includeInSnippet', availability: 'clientSideAvailability' } as const

/** The document that a JSON Patch applies to: the flag with its configurations. */
export const patchableFlag = v.object({
  ...flagSettings.entries,
  environments: dictionary(v.string(), configSettings),
})

const flagObject = v.object({
  name: v.string(),
  kind: v.picklist(['boolean', 'multivariate']),
  description: v.string(),
  key: v.string(),
  _version: v.number(),
  creationDate: timestamp(),
  includeInSnippet: v.boolean(),
  clientSideAvailability,
  variations: list(
    v.object({
      _id: v.string(),
      value: v.unknown(),
      name: v.optional(v.string()),
      description: v.optional(v.string()),
    }),
  ),
  temporary: v.boolean(),
  tags: list(v.string()),
  _links: links(),
  maintainerId: v.optional(v.string()),
  _maintainer: v.optional(memberSummaryResponse),
  maintainerTeamKey: v.optional(v.string()),
  customProperties: v.record(v.string(), v.object({ name: v.string(), value: list(v.string()) })),
  archived: v.boolean(),
  archivedDate: v.optional(timestamp()),
  deprecated: v.boolean(),
  deprecatedDate: v.optional(timestamp()),
  defaults: v.object({ onVariation: v.number(), offVariation: v.number() }),
  purpose: v.optional(v.picklist(['migration'])),
  migrationSettings: v.optional(v.object({ stageCount: v.picklist([2, 4, 6]), contextKind: v.optional(v.string()) })),
  _access: v.optional(accessDetails()),
  environments: v.optional(v.record(v.string(), configResponse)),
})

/** A flag in a response. */
export interface FlagResponse extends v.InferOutput<typeof flagObject> {}

export const flagResponse: v.GenericSchema<FlagResponse> = flagObject

export interface FlagView {
  /** Parts of the configurations to include: all, all except those that can be long, or none. Default `full`. */
  readonly environments?: 'full' | 'short' | 'none'
}

/** Serializes a flag in the environments of its state, and the actions that the caller may perform on it. */
export async function serializeFlag(context: ReadContext, projectKey: string, state: FlagState): Promise<FlagResponse> {
  const { flag } = state
  const [response] = await serializeFlags(context, projectKey, [state])
  const _access = await context.access(flags, { projectKey, flagKey: flag.key }, flag)
  return Object.assign(response as FlagResponse, { _access })
}

/**
 * Serializes many flags. Their maintainers are read with one storage request. The actions that the caller may perform
 * are left to the response for a single flag: 60 actions, each with its statement, made up nine tenths of a list.
 */
export async function serializeFlags(
  context: ReadContext,
  projectKey: string,
  states: readonly FlagState[],
  { environments = 'full' }: FlagView = {},
): Promise<FlagResponse[]> {
  const ids = [...new Set(states.flatMap(({ flag }) => flag.maintainerId ?? []))]
  const documents = await context.tx.getMany(
    members,
    ids.map((memberId) => ({ memberId })),
  )
  const maintainers = new Map<string | undefined, MemberSummary>()
  for (const member of documents) if (member) maintainers.set(member.id, serializeMemberSummary(member))
  const parent = path`/api/v2/flags/${projectKey}`
  const view = { format: context.format, projectKey, environments, parent, maintainers }
  return states.map((state) => serialize(view, state))
}

/** The parts that the flags of one response have in common. */
interface FlagListView extends ResponseView {
  /** Path of the list of flags of the project. */
  readonly parent: string
  /** The maintainers of the flags, by id. */
  readonly maintainers: ReadonlyMap<string | undefined, MemberSummary>
}

function serialize(view: FlagListView, state: FlagState): FlagResponse {
  const { flag } = state
  const maintainer = view.maintainers.get(flag.maintainerId)
  const { time } = view.format
  // Properties are listed one by one, because copying the flag took most of the time of a response.
  const response: FlagResponse = {
    key: flag.key,
    name: flag.name,
    description: flag.description,
    temporary: flag.temporary,
    tags: flag.tags,
    customProperties: flag.customProperties as FlagResponse['customProperties'],
    kind: flag.kind,
    variations: flag.variations,
    defaults: flag.defaults,
    clientSideAvailability: flag.clientSideAvailability,
    archived: flag.archived,
    deprecated: flag.deprecated,
    _version: flag.version,
    creationDate: time(flag.createdAt),
    includeInSnippet: flag.clientSideAvailability.usingEnvironmentId,
    _links: linksOf(view, flag),
  }
  if (flag.maintainerId !== undefined) response.maintainerId = flag.maintainerId
  if (maintainer) response._maintainer = maintainer
  if (flag.maintainerTeamKey !== undefined) response.maintainerTeamKey = flag.maintainerTeamKey
  if (flag.archivedDate !== undefined) response.archivedDate = time(flag.archivedDate)
  if (flag.deprecatedDate !== undefined) response.deprecatedDate = time(flag.deprecatedDate)
  if (flag.purpose !== undefined) response.purpose = flag.purpose
  if (flag.migrationSettings !== undefined) response.migrationSettings = flag.migrationSettings
  if (view.environments !== 'none') response.environments = serializeConfigs(view, state)
  return response
}

function serializeConfigs(
  view: ResponseView,
  { flag, environments, configs }: FlagState,
): FlagResponse['environments'] {
  const entries: [string, ConfigResponse][] = []
  for (const environment of environments) {
    const config = configs.get(environment.key)
    if (config) entries.push([environment.key, serializeConfig(view, flag, environment, config)])
  }
  return Object.fromEntries(entries)
}

function linksOf({ parent }: FlagListView, { key }: Flag): Record<string, Link> {
  return selfAndParent(`${parent}${path`/${key}`}`, parent)
}
