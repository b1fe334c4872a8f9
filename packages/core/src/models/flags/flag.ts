import type { StageCount } from '../../rules/migration-safety/stages.ts'
import { type Subject, shortName, switchSentence } from '../../rules/sentences/sentence.ts'
import { documents, shownTime, type Versioned } from '../../storage/collection.ts'
import { maintainerSentences } from '../maintainers/maintainer.ts'
import type { ClientSideAvailability } from '../projects/project.ts'
import { flagViews } from '../views/view-link.ts'

/** A feature flag: the part that is the same in all environments of its project. */
export interface Flag extends Versioned {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly kind: FlagKind
  readonly variations: readonly Variation[]
  readonly defaults: DefaultVariations
  readonly temporary: boolean
  readonly tags: readonly string[]
  /** Stored by earlier versions. Responses derive it from `clientSideAvailability`. */
  readonly includeInSnippet?: boolean
  readonly clientSideAvailability: ClientSideAvailability
  readonly maintainerId?: string
  readonly maintainerTeamKey?: string
  readonly customProperties: Readonly<Record<string, CustomProperty>>
  readonly archived: boolean
  /** Integer ms. */
  readonly archivedDate?: number
  readonly deprecated: boolean
  /** Integer ms. */
  readonly deprecatedDate?: number
  readonly purpose?: 'migration'
  readonly migrationSettings?: MigrationSettings
  /** Input of the hash for percentage rollouts, together with the key of a context. The same in all environments. */
  readonly salt: string
  readonly sel: string
  /**
   * Increases with each change of a configuration, and when the flag becomes a prerequisite. The version of the flag
   * therefore changes with everything that depends on the flag: a variation cannot be removed while a concurrent change
   * starts to serve it, and one ETag covers all environments.
   */
  readonly revision: number
  readonly createdAt: number
}

export type FlagKind = 'boolean' | 'multivariate'

/** A value that a flag can have. Configurations refer to it by index, instructions by id. */
export interface Variation {
  readonly _id: string
  /** Any JSON value. */
  readonly value: unknown
  readonly name?: string
  readonly description?: string
}

/** Indexes of the variations that a new environment serves while the flag is on, and while it is off. */
export interface DefaultVariations {
  readonly onVariation: number
  readonly offVariation: number
}

export interface CustomProperty {
  readonly name: string
  readonly value: readonly string[]
}

export interface MigrationSettings {
  readonly stageCount: StageCount
  /** Kind of context that moves from one stage to the next. Only in flags with six stages. */
  readonly contextKind?: string
}

const address = 'proj/{projectKey}:env/*:flag/{flagKey}'

export const flags = documents<Flag>()({
  name: 'flag',
  address,
  fields: (flag) => ({
    name: flag.name,
    tags: flag.tags,
    temporary: flag.temporary,
    state: stateOf(flag),
    maintainerId: flag.maintainerId ?? null,
    maintainerTeamKey: flag.maintainerTeamKey ?? null,
    createdAt: flag.createdAt,
    archivedDate: flag.archivedDate ?? null,
    sdks: clientSdksOf(flag),
    purpose: flag.purpose ?? null,
  }),
  attributes: ({ tags }) => ({ tags }),
  views: flagViews,
  shown: {
    // Change log entries of earlier versions contain changes of this property, which is no longer written.
    includeInSnippet: 'includeInSnippet',
    clientSideAvailability: (availability) => ({
      clientSideAvailability: availability,
      includeInSnippet: availability.usingEnvironmentId,
    }),
    archivedDate: shownTime('archivedDate'),
    deprecatedDate: shownTime('deprecatedDate'),
    salt: null,
    sel: null,
    revision: null,
    createdAt: shownTime('creationDate'),
  },
  sentences: {
    changed: {
      ...maintainerSentences,
      defaults: defaultSentences,
      temporary: switchSentence(
        'temporary',
        ({ it }) => `made ${it} temporary`,
        ({ it }) => `made ${it} permanent`,
      ),
      clientSideAvailability: availabilitySentences,
    },
  },
  changes: {
    key: null,
    name: 'updateName',
    description: 'updateDescription',
    kind: null,
    variations: 'updateFlagVariations',
    defaults: 'updateFlagDefaultVariations',
    temporary: 'updateTemporary',
    tags: 'updateTags',
    includeInSnippet: null,
    clientSideAvailability: 'updateClientSideFlagAvailability',
    maintainerId: 'updateMaintainer',
    maintainerTeamKey: 'updateMaintainer',
    customProperties: 'updateFlagCustomProperties',
    archived: 'updateGlobalArchived',
    archivedDate: null,
    deprecated: 'updateDeprecated',
    deprecatedDate: null,
    purpose: null,
    migrationSettings: null,
    salt: null,
    sel: null,
    revision: null,
    createdAt: null,
  },
})

/** Returns a sentence about the variations that new environments serve. */
function defaultSentences(before: Flag, after: Flag, { it }: Subject): string[] {
  const name = (index: number) => {
    const { name = undefined, value = undefined } = after.variations[index] ?? {}
    return shortName(name ?? JSON.stringify(value) ?? String(index))
  }
  const sides = [
    ['onVariation', 'on'],
    ['offVariation', 'off'],
  ] as const
  return sides
    .filter(([side]) => before.defaults[side] !== after.defaults[side])
    .map(
      ([side, text]) => `made ${name(after.defaults[side])} the variation that ${it} serves while ${text} by default`,
    )
}

/** Returns sentences about the kinds of client-side SDK that may read a flag. */
function availabilitySentences(before: Flag, after: Flag, { it }: Subject): string[] {
  const sides = [
    ['usingMobileKey', 'mobile SDKs'],
    ['usingEnvironmentId', 'client-side SDKs'],
  ] as const
  return sides
    .filter(([side]) => before.clientSideAvailability[side] !== after.clientSideAvailability[side])
    .map(([side, sdks]) => `made ${it} ${after.clientSideAvailability[side] ? 'available' : 'unavailable'} to ${sdks}`)
}

/** Keys of a flag. */
export interface FlagKeys {
  readonly projectKey: string
  readonly flagKey: string
}

/** Lifecycle states of a flag. */
export const flagStates = ['live', 'deprecated', 'archived'] as const

export type FlagLifeState = (typeof flagStates)[number]

function stateOf({ archived, deprecated }: Flag): FlagLifeState {
  if (archived) return 'archived'
  return deprecated ? 'deprecated' : 'live'
}

/** Returns the kinds of client-side SDK that may read a flag. */
function clientSdksOf({ clientSideAvailability: { usingEnvironmentId, usingMobileKey } }: Flag): string[] {
  return [...(usingEnvironmentId ? ['client'] : []), ...(usingMobileKey ? ['mobile'] : [])]
}

/** Returns the type of a value. All values of one flag have the same type. */
export function valueKind(value: unknown): 'boolean' | 'string' | 'number' | 'JSON' {
  const type = typeof value
  return type === 'boolean' || type === 'string' || type === 'number' ? type : 'JSON'
}

export function kindOf(variations: readonly Variation[]): FlagKind {
  return variations.every(({ value }) => typeof value === 'boolean') ? 'boolean' : 'multivariate'
}
