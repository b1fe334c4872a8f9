import * as v from 'valibot'
import { type Flag, kindOf, type Variation } from '../../models/flags/flag.ts'
import type { FlagDefaults } from '../../models/projects/flag-defaults.ts'
import type { Project } from '../../models/projects/project.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { ValidationError } from '../../operation/errors.ts'
import { key, list, text } from '../../operation/schema.ts'
import { migrationStages } from '../../rules/migration-safety/stages.ts'
import { requestedAvailability, snippetErrors } from '../projects/snippet-alias.ts'
import { contextKind } from '../targeting/clause-schema.ts'
import { flagSettings, flagSnippet, variationRequest } from './flag-schema.ts'

const {
  name,
  tags,
  temporary,
  customProperties,
  includeInSnippet,
  defaults,
  clientSideAvailability,
  maintainerId,
  maintainerTeamKey,
} = flagSettings.entries

const stageCount = v.union(
  [
    v.picklist([2, 4, 6]),
    v.pipe(
      v.picklist(['2', '4', '6']),
      v.transform((text) => Number(text) as 2 | 4 | 6),
    ),
  ],
  'must be 2, 4 or 6',
)

/** Body of a request that creates a flag. */
export const flagRequest = v.strictObject({
  key: key(),
  name,
  description: v.optional(text()),
  /** Clients send the variations of another flag again, with their ids. The new flag has ids of its own. */
  variations: v.optional(list(variationRequest)),
  defaults: v.optional(defaults),
  temporary: v.optional(temporary),
  tags: v.optional(tags),
  includeInSnippet: v.optional(includeInSnippet),
  clientSideAvailability: v.optional(clientSideAvailability),
  maintainerId,
  maintainerTeamKey,
  customProperties: v.optional(customProperties),
  purpose: v.optional(v.picklist(['migration'], 'must be migration')),
  migrationSettings: v.optional(v.strictObject({ stageCount, contextKind: v.optional(contextKind()) })),
  /** Turns the flag on in all environments. */
  isFlagOn: v.optional(v.boolean()),
  /** Prerequisites in all environments. */
  initialPrerequisites: v.optional(
    v.pipe(
      list(v.strictObject({ key: key(), variationId: v.string() })),
      v.maxLength(100, 'must contain at most 100 prerequisites'),
      v.check((all) => new Set(all.map(({ key }) => key)).size === all.length, 'must not repeat a key'),
    ),
  ),
})

export type FlagRequest = v.InferOutput<typeof flagRequest>

/**
 * Returns the errors of a request that its schema cannot express: properties of a migration flag depend on each other
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety).
 */
export function validateFlagRequest(request: FlagRequest): ValidationError[] {
  return [...availabilityErrors(request), ...migrationErrors(request)]
}

function availabilityErrors(request: FlagRequest): ValidationError[] {
  return snippetErrors(flagSnippet, { alias: request.includeInSnippet, availability: request.clientSideAvailability })
}

function migrationErrors({ purpose, migrationSettings, variations, defaults }: FlagRequest): ValidationError[] {
  if (!migrationSettings) return purpose ? [{ attribute: 'migrationSettings', reason: 'must be present' }] : []
  const errors: ValidationError[] = []
  if (!purpose) errors.push({ attribute: 'purpose', reason: 'must be migration' })
  for (const [attribute, value] of Object.entries({ variations, defaults })) {
    if (value) errors.push({ attribute, reason: 'must be left out of a migration flag' })
  }
  const sixStages = migrationSettings.stageCount === 6
  if (sixStages !== (migrationSettings.contextKind !== undefined)) {
    const reason = sixStages ? 'must be present' : 'must be left out unless there are 6 stages'
    errors.push({ attribute: 'migrationSettings.contextKind', reason })
  }
  return errors
}

/**
 * Returns the errors of a request for a clone. A clone takes these properties from its source, because its targeting
 * refers to variations.
 */
export function validateCloneRequest(request: FlagRequest): ValidationError[] {
  const { variations, defaults, purpose, migrationSettings, isFlagOn, initialPrerequisites } = request
  const excluded = Object.entries({
    variations,
    defaults,
    purpose,
    migrationSettings,
    // A clone is off.
    isFlagOn: isFlagOn || undefined,
    initialPrerequisites,
  })
  const reason = 'must be left out of a clone'
  return [
    ...availabilityErrors(request),
    ...excluded.flatMap(([attribute, value]) => (value === undefined ? [] : [{ attribute, reason }])),
  ]
}

/** The sources of the properties that a request for a new flag omits. */
interface FlagOrigins {
  /** The flag to clone; undefined for a flag that is not a clone. */
  readonly source: Flag | undefined
  readonly project: Project
  readonly defaults: FlagDefaults
}

/** Returns a new flag. Omitted properties come from the source of the clone, from the project, or from defaults. */
export function newFlag(
  context: Pick<WriteContext, 'useHost' | 'readClock' | 'caller'>,
  { includeInSnippet, isFlagOn: _on, initialPrerequisites: _prerequisites, ...request }: FlagRequest,
  { source, project, defaults: { tags, temporary, booleanDefaults } }: FlagOrigins,
): Omit<Flag, 'version'> {
  const { newId, randomHex } = context.useHost()
  const { caller } = context
  const variations = (source?.variations ?? valuesOf(request, booleanDefaults)).map(
    (variation): Variation => ({ ...variation, _id: newId() }),
  )
  const hasNoMaintainer = request.maintainerId === undefined && request.maintainerTeamKey === undefined
  // `Object.assign` copies the request, because an object literal with properties after a spread takes a multiple of
  // the time.
  return Object.assign({}, request, {
    description: request.description ?? source?.description ?? '',
    temporary: request.temporary ?? source?.temporary ?? temporary,
    tags: request.tags ?? source?.tags ?? tags,
    customProperties: request.customProperties ?? source?.customProperties ?? {},
    kind: source?.kind ?? kindOf(variations),
    variations,
    defaults: source?.defaults ?? defaultsOf(request, variations, booleanDefaults),
    ...(source?.migrationSettings ? { purpose: source.purpose, migrationSettings: source.migrationSettings } : {}),
    clientSideAvailability: requestedAvailability(
      { alias: includeInSnippet, availability: request.clientSideAvailability },
      source?.clientSideAvailability ?? project.defaultClientSideAvailability,
    ),
    ...(hasNoMaintainer && caller.memberId !== undefined ? { maintainerId: caller.memberId } : {}),
    archived: false,
    deprecated: false,
    salt: randomHex(16),
    sel: randomHex(16),
    revision: 0,
    createdAt: context.readClock(),
  })
}

function valuesOf(
  { migrationSettings, variations }: FlagRequest,
  { trueDisplayName, falseDisplayName, trueDescription, falseDescription }: FlagDefaults['booleanDefaults'],
): readonly Omit<Variation, '_id'>[] {
  if (migrationSettings) return migrationStages[migrationSettings.stageCount].map((stage) => ({ value: stage }))
  return (
    variations ?? [
      { value: true, ...textsOf(trueDisplayName, trueDescription) },
      { value: false, ...textsOf(falseDisplayName, falseDescription) },
    ]
  )
}

function textsOf(name: string, description: string): Pick<Variation, 'name' | 'description'> {
  return { ...(name === '' ? {} : { name }), ...(description === '' ? {} : { description }) }
}

/**
 * Returns the default variations of a new flag. By default, it serves the first variation when it is on, and the last
 * one when it is off. A flag that is created without variations gets the defaults of the project. A migration flag
 * serves the stage `off` in both states.
 */
function defaultsOf(
  { migrationSettings, defaults, variations }: FlagRequest,
  { length }: readonly Variation[],
  { onVariation, offVariation }: FlagDefaults['booleanDefaults'],
): Flag['defaults'] {
  if (migrationSettings) return { onVariation: 0, offVariation: 0 }
  return defaults ?? (variations ? { onVariation: 0, offVariation: length - 1 } : { onVariation, offVariation })
}
