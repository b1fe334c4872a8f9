import * as v from 'valibot'
import type { Environment } from '../../models/environments/environment.ts'
import { activeReleases } from '../../models/flags/automated-release.ts'
import type { Flag } from '../../models/flags/flag.ts'
import { defaultMigrationSettings, type FlagConfig } from '../../models/flags/flag-config.ts'
import type { ResponseFormat } from '../../operation/context.ts'
import { type Link, path } from '../../operation/link.ts'
import { key, list, text, timestamp } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Serve } from '../../rules/targeting/serve.ts'
import { clauseRequest, contextKind } from '../targeting/clause-schema.ts'
import {
  attributeName,
  contextKeys,
  serveResponse,
  targetingRuleResponse,
  targetResponse,
  variationIndex,
  weight,
} from '../targeting/targeting-schema.ts'
import { automatedReleaseEntries, shownRelease } from './automation/shown-release.ts'

const targetOf = (kind: string) =>
  v.strictObject({
    values: contextKeys(),
    variation: variationIndex(),
    contextKind: kind === '' ? contextKind() : v.optional(contextKind(), kind),
  })

const serve = {
  variation: v.optional(variationIndex()),
  rollout: v.optional(
    v.strictObject({
      // Only experiments write these properties. A patch may contain them only with the stored values.
      kind: v.optional(v.literal('experiment')),
      seed: v.optional(v.pipe(v.number(), v.safeInteger('must be an integer'))),
      variations: list(
        v.strictObject({ variation: variationIndex(), weight: weight(), untracked: v.optional(v.boolean()) }),
      ),
      contextKind: v.optional(contextKind(), userKind),
      bucketBy: v.optional(attributeName()),
    }),
  ),
}

/** With a larger value, less than one read in a million would be compared, too few to find differences. */
const checkRatioBound = 1_000_000

const checkRatio = v.pipe(
  v.number(),
  v.integer('must be an integer'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(checkRatioBound, `must be at most ${checkRatioBound}`),
)

const prerequisite = v.strictObject({ key: key(), variation: variationIndex() })

/** Properties of a configuration that a JSON Patch can set. */
export const configSettings = v.object({
  on: v.boolean(),
  targets: list(targetOf(userKind)),
  contextTargets: list(targetOf('')),
  rules: list(
    v.strictObject({
      _id: v.optional(v.string()),
      description: v.optional(text()),
      ...serve,
      clauses: list(clauseRequest),
      trackEvents: v.optional(v.boolean(), false),
    }),
  ),
  fallthrough: v.strictObject(serve),
  offVariation: v.optional(variationIndex()),
  prerequisites: list(prerequisite),
  trackEvents: v.boolean(),
  trackEventsFallthrough: v.boolean(),
  migrationSettings: v.optional(v.strictObject({ checkRatio })),
})

const variationSummary = v.object({
  rules: v.number(),
  nullRules: v.number(),
  targets: v.number(),
  contextTargets: v.number(),
  isFallthrough: v.optional(v.boolean()),
  isOff: v.optional(v.boolean()),
})

/** A configuration in a response. A list omits the parts that can be long, unless `summary=0` requests them. */
export const configResponse = v.object({
  on: v.boolean(),
  archived: v.boolean(),
  salt: v.string(),
  sel: v.string(),
  lastModified: timestamp(),
  version: v.number(),
  targets: v.optional(list(targetResponse)),
  contextTargets: v.optional(list(targetResponse)),
  rules: v.optional(list(targetingRuleResponse)),
  fallthrough: v.object(serveResponse),
  offVariation: v.optional(v.number()),
  prerequisites: v.optional(list(v.object({ key: v.string(), variation: v.number() }))),
  trackEvents: v.boolean(),
  trackEventsFallthrough: v.boolean(),
  migrationSettings: v.optional(v.object({ checkRatio: v.number() })),
  /** The automated releases that have not ended. */
  automatedReleases: v.optional(list(v.object(automatedReleaseEntries))),
  _environmentName: v.string(),
  _site: v.object({ href: v.string(), type: v.string() }),
  _summary: v.object({ variations: v.record(v.string(), variationSummary), prerequisites: v.number() }),
})

export type ConfigResponse = v.InferOutput<typeof configResponse>

/** Returns the link to the page of a flag in an environment. */
export function siteOf(projectKey: string, environmentKey: string, flagKey: string): Link {
  return { href: path`/${projectKey}/${environmentKey}/features/${flagKey}`, type: 'text/html' }
}

/** Options for the form of flags in a response. */
export interface ResponseView {
  readonly format: ResponseFormat
  readonly projectKey: string
  readonly environments: 'full' | 'short' | 'none'
}

/** Serializes a configuration; a `short` one without targets, rules and prerequisites. */
export function serializeConfig(
  { format, projectKey, environments }: ResponseView,
  flag: Flag,
  environment: Environment,
  config: FlagConfig,
): ConfigResponse {
  const active = config.automatedReleases ? activeReleases(config) : []
  // Properties are listed one by one, because copying the configuration took most of the time of a response.
  const response: ConfigResponse = {
    on: config.on,
    fallthrough: config.fallthrough,
    trackEvents: config.trackEvents,
    trackEventsFallthrough: config.trackEventsFallthrough,
    archived: flag.archived,
    salt: flag.salt,
    sel: flag.sel,
    lastModified: format.time(config.lastModified),
    // Versions in responses start at 1, also when the configuration is not stored yet.
    version: config.version + 1,
    _environmentName: environment.name,
    _site: siteOf(projectKey, environment.key, flag.key),
    _summary: summaryOf(flag, config),
  }
  if (config.offVariation !== undefined) response.offVariation = config.offVariation
  if (flag.migrationSettings) response.migrationSettings = config.migrationSettings ?? defaultMigrationSettings
  if (environments === 'full') {
    response.targets = config.targets
    response.contextTargets = config.contextTargets
    response.rules = config.rules
    response.prerequisites = config.prerequisites
  }
  if (active.length > 0) response.automatedReleases = active.map((release) => shownRelease(format, release))
  return response
}

/** Counts the rules and targets that serve each variation. */
function summaryOf(flag: Flag, config: FlagConfig): ConfigResponse['_summary'] {
  const variations: ConfigResponse['_summary']['variations'] = {}
  for (const index of flag.variations.keys()) {
    const rules = config.rules.filter((rule) => serves(rule, index))
    const summary: v.InferOutput<typeof variationSummary> = {
      rules: rules.length,
      nullRules: rules.filter((rule) => rule.clauses.length === 0).length,
      targets: countKeys(config.targets, index),
      contextTargets: countKeys(config.contextTargets, index),
    }
    if (serves(config.fallthrough, index)) summary.isFallthrough = true
    if (config.offVariation === index) summary.isOff = true
    variations[index] = summary
  }
  return { variations, prerequisites: config.prerequisites.length }
}

function serves({ variation, rollout }: Serve, index: number): boolean {
  return (
    variation === index || (rollout?.variations.some((entry) => entry.variation === index && entry.weight > 0) ?? false)
  )
}

function countKeys(targets: FlagConfig['targets'], index: number): number {
  return targets.reduce((sum, target) => sum + (target.variation === index ? target.values.length : 0), 0)
}
