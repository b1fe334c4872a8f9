import * as v from 'valibot'
import type { Wire } from '../../operation/context.ts'
import { type Link, path } from '../../operation/link.ts'
import { key, list, text, timestamp } from '../../operation/schema.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import type { Environment } from '../environments/environment.ts'
import { clauseRequest, clauseWire, contextKind } from '../targeting/clause-wire.ts'
import type { Flag } from './flag.ts'
import { type FlagConfig, type Serve, wholeWeight } from './flag-config.ts'

/** The index of a variation; whether there is one is known to the flag. */
export const variationIndex = () =>
  v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))

/** A share in thousandths of a percent. */
export const weight = () =>
  v.pipe(
    v.number(),
    v.integer('must be an integer'),
    v.minValue(0, 'must not be negative'),
    v.maxValue(wholeWeight, `must be at most ${wholeWeight}`),
  )

/** The name of an attribute of a context. */
export const attributeName = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))

/** The key of a context, such as a user's id or e-mail address. */
export const contextKey = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(2048, 'must have at most 2048 characters'))

/** Keys of contexts. */
export const contextKeys = () => list(contextKey())

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
      variations: list(v.strictObject({ variation: variationIndex(), weight: weight() })),
      contextKind: v.optional(contextKind(), userKind),
      bucketBy: v.optional(attributeName()),
    }),
  ),
}

const prerequisite = v.strictObject({ key: key(), variation: variationIndex() })

/** What a caller may set on a configuration by a JSON Patch. */
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
})

const target = v.object({ values: list(v.string()), variation: v.number(), contextKind: v.string() })

const serveWire = {
  variation: v.optional(v.number()),
  rollout: v.optional(
    v.object({
      variations: list(v.object({ variation: v.number(), weight: v.number() })),
      contextKind: v.string(),
      bucketBy: v.optional(v.string()),
    }),
  ),
}

const variationSummary = v.object({
  rules: v.number(),
  nullRules: v.number(),
  targets: v.number(),
  contextTargets: v.number(),
  isFallthrough: v.optional(v.boolean()),
  isOff: v.optional(v.boolean()),
})

/** A configuration in an answer; a list leaves out what can be long, unless `summary=0` asks for it. */
export const configWire = v.object({
  on: v.boolean(),
  archived: v.boolean(),
  salt: v.string(),
  sel: v.string(),
  lastModified: timestamp(),
  version: v.number(),
  targets: v.optional(list(target)),
  contextTargets: v.optional(list(target)),
  rules: v.optional(
    list(
      v.object({
        _id: v.string(),
        description: v.optional(v.string()),
        ...serveWire,
        clauses: list(clauseWire),
        trackEvents: v.boolean(),
      }),
    ),
  ),
  fallthrough: v.object(serveWire),
  offVariation: v.optional(v.number()),
  prerequisites: v.optional(list(v.object({ key: v.string(), variation: v.number() }))),
  trackEvents: v.boolean(),
  trackEventsFallthrough: v.boolean(),
  _environmentName: v.string(),
  _site: v.object({ href: v.string(), type: v.string() }),
  _summary: v.object({ variations: v.record(v.string(), variationSummary), prerequisites: v.number() }),
})

type ConfigAnswer = v.InferOutput<typeof configWire>

/** Where people look at a flag in an environment. */
export function siteOf(projectKey: string, environmentKey: string, flagKey: string): Link {
  return { href: path`/${projectKey}/${environmentKey}/features/${flagKey}`, type: 'text/html' }
}

/** Shows a configuration; a `short` one without targets, rules and prerequisites. */
export function presentConfig(
  wire: Wire,
  site: Link,
  flag: Flag,
  environment: Environment,
  config: FlagConfig,
  short: boolean,
): ConfigAnswer {
  const { version, lastModified, targets, contextTargets, expiringTargets, rules, prerequisites, ...shown } = config
  return {
    ...shown,
    ...(short ? {} : { targets, contextTargets, rules, prerequisites }),
    archived: flag.archived,
    salt: flag.salt,
    sel: flag.sel,
    lastModified: wire.time(lastModified),
    // The first version that can be seen is 1, also where it is not stored yet.
    version: version + 1,
    _environmentName: environment.name,
    _site: site,
    _summary: summaryOf(flag, config),
  }
}

/** What each variation is served for, in numbers. */
function summaryOf(flag: Flag, config: FlagConfig): ConfigAnswer['_summary'] {
  const variations = flag.variations.map((_, index): [string, v.InferOutput<typeof variationSummary>] => [
    String(index),
    {
      rules: config.rules.filter((rule) => serves(rule, index)).length,
      nullRules: config.rules.filter((rule) => rule.clauses.length === 0 && serves(rule, index)).length,
      targets: countKeys(config.targets, index),
      contextTargets: countKeys(config.contextTargets, index),
      ...(serves(config.fallthrough, index) ? { isFallthrough: true } : {}),
      ...(config.offVariation === index ? { isOff: true } : {}),
    },
  ])
  return { variations: Object.fromEntries(variations), prerequisites: config.prerequisites.length }
}

function serves({ variation, rollout }: Serve, index: number): boolean {
  return variation === index || (rollout?.variations.some((one) => one.variation === index && one.weight > 0) ?? false)
}

function countKeys(targets: FlagConfig['targets'], index: number): number {
  return targets.reduce((sum, one) => sum + (one.variation === index ? one.values.length : 0), 0)
}
