import type { ReleaseStage } from './automation.ts'

/** The settings of an audience that decide how it is served. */
interface AudienceSettings {
  readonly releaseStrategy: string
  readonly releaseGuardianConfiguration?: {
    readonly monitoringWindowMilliseconds: number
    /** In percent. */
    readonly rolloutWeight: number
  }
}

/** The release strategy whose audiences are served in stages while metrics are compared. */
export const monitoredStrategy = 'monitoredRelease'

/**
 * Returns the stages in which an audience is served: one stage with the rollout weight, which lasts for the monitoring
 * window.
 *
 * @returns undefined for an audience that is served immediately, or in the stages of a release policy.
 */
export function guardedStages(settings: AudienceSettings | undefined): readonly ReleaseStage[] | undefined {
  const guardian = settings?.releaseGuardianConfiguration
  if (settings?.releaseStrategy !== monitoredStrategy || !guardian) return undefined
  return [{ allocation: guardian.rolloutWeight * 1_000, durationMillis: guardian.monitoringWindowMilliseconds }]
}
