import type { Targeting } from '../../rules/targeting/targeting.ts'
import { targetingSentences } from '../../rules/targeting/targeting-sentences.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import type { Environment } from '../environments/environment.ts'
import { referencedSegments } from '../segments/segment.ts'
import type { AIConfig } from './ai-config.ts'
import { aiConfigs } from './ai-config.ts'

/** The rules by which a context gets a variation of a config in one environment. */
export interface AIConfigTargeting extends Targeting, Versioned {
  readonly environmentKey: string
  /** Integer ms. */
  readonly lastModified: number
}

/** Targetings that were changed. All others equal the result of {@link defaultTargeting}. */
export const aiConfigTargetings = documents<AIConfigTargeting>()({
  name: 'ai-config-targeting',
  noun: 'AI config',
  address: 'proj/{projectKey}:env/{environmentKey}:aiconfig/{configKey}',
  fields: ({ rules }) => ({ segments: referencedSegments(rules) }),
  shownAt: ({ environmentKey }) => `/environments/${environmentKey}`,
  shown: { on: 'enabled', environmentKey: null },
  partOf: aiConfigs,
  sentences: { changed: targetingSentences },
  changes: {
    environmentKey: null,
    on: 'updateAIConfigTargeting',
    targets: 'updateAIConfigTargeting',
    contextTargets: 'updateAIConfigTargeting',
    rules: 'updateAIConfigTargeting',
    fallthrough: 'updateAIConfigTargeting',
    offVariation: 'updateAIConfigTargeting',
    trackEvents: 'updateAIConfigTargeting',
    trackEventsFallthrough: 'updateAIConfigTargeting',
    lastModified: null,
  },
})

/**
 * Returns the targeting of a config in an environment in which it was never changed: version 0, off, with the default
 * variations. It serves nothing while the config has no variation. It is not stored, like the default configuration of
 * a flag.
 */
export function defaultTargeting(config: AIConfig, environment: Environment): AIConfigTargeting {
  const { onVariation, offVariation } = config.defaults
  const empty = config.variations.length === 0
  return {
    version: 0,
    environmentKey: environment.key,
    on: false,
    targets: [],
    contextTargets: [],
    rules: [],
    fallthrough: empty ? {} : { variation: onVariation },
    ...(empty ? {} : { offVariation }),
    trackEvents: environment.defaultTrackEvents,
    trackEventsFallthrough: false,
    lastModified: config.createdAt,
  }
}
