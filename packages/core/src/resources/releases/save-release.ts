import type { FlagKeys } from '../../models/flags/flag.ts'
import type { FlagConfig } from '../../models/flags/flag-config.ts'
import { type Release, type ReleaseAudience, type ReleasePhase, releases } from '../../models/releases/release.ts'
import { holdAutomation, resumeAutomation } from '../../rules/release/automation.ts'
import type { Replacement } from '../../storage/collection.ts'
import type { FlagChange } from '../flags/changes/flag-change.ts'
import { saveFlag } from '../flags/changes/save-flag.ts'
import { type FlagState, loadFlag } from '../flags/flag-state.ts'
import { type ServeContext, serveAudience } from './serve-audience.ts'

/**
 * Stores an advanced release. A phase that starts changes the flag in the environments of its audiences like any other
 * change of a flag: with the required actions, comments and approvals. A phase that is paused or started again holds or
 * resumes the automated releases of its audiences.
 *
 * @param comment comment of the caller. Some environments require one.
 */
export async function saveRelease(
  context: ServeContext,
  { keys, before, after }: Replacement<Release, FlagKeys>,
  comment: string | undefined,
): Promise<Release> {
  const { tx } = context
  const transitions = after.phases.map((phase, index) => transitionOf(before.phases[index], phase))
  if (transitions.every((transition) => transition === undefined)) return tx.replace(releases, keys, before, after)
  const state = (await loadFlag(tx, keys, context)) ?? context.fail('not_found')
  const configs = new Map<string, FlagConfig>()
  const phases: ReleasePhase[] = []
  for (const [index, phase] of after.phases.entries()) {
    const progress = { keys, state, configs, release: after }
    const audiences = await advanceAudiences(context, progress, phase, transitions[index])
    phases.push({ ...phase, audiences })
  }
  const storedRelease = tx.replace(releases, keys, before, { ...after, phases })
  if (configs.size === 0) return storedRelease
  await saveFlag(context, { keys, before: state }, { flag: state.flag, configs, comment, refuse: refuseWith(context) })
  return storedRelease
}

type Transition = 'start' | 'hold' | 'resume'

function transitionOf(before: ReleasePhase | undefined, after: ReleasePhase): Transition | undefined {
  if (after.startedAt !== undefined && before?.startedAt === undefined) return 'start'
  if (before?.status === after.status) return undefined
  if (after.status === 'Paused') return 'hold'
  return before?.status === 'Paused' && after.status === 'Started' ? 'resume' : undefined
}

/** The documents that a call has changed so far. Configurations that it changes are added to `configs`. */
interface Progress {
  readonly keys: FlagKeys
  readonly state: FlagState
  readonly configs: Map<string, FlagConfig>
  readonly release: Release
}

/** Changes the flag for the audiences of a phase. Audiences of deleted environments are skipped. */
async function advanceAudiences(
  context: ServeContext,
  { keys, state, configs, release }: Progress,
  { audiences }: ReleasePhase,
  transition: Transition | undefined,
): Promise<readonly ReleaseAudience[]> {
  if (!transition) return audiences
  const advanced: ReleaseAudience[] = []
  for (const audience of audiences) {
    const { environmentKey } = audience
    const current = new Map([...state.configs, ...configs])
    const config = current.get(environmentKey)
    const result = !config
      ? { config, audience }
      : transition === 'start'
        ? await serveAudience(
            context,
            { keys, state: { ...state, configs: current } },
            { audience, variations: variationsOf(context, state, release) },
          )
        : { config: withAutomation(context, config, audience, transition), audience }
    if (result.config && result.config !== config) configs.set(environmentKey, result.config)
    advanced.push(result.audience)
  }
  return advanced
}

function variationsOf({ fail }: ServeContext, { flag }: FlagState, { variationId }: Release) {
  const variation = flag.variations.findIndex(({ _id }) => _id === variationId)
  if (variation < 0) {
    const reason = 'must be the _id of a variation of the flag: replace the release to serve another one'
    fail('invalid_request', { errors: [{ attribute: 'releaseVariationId', reason }] })
  }
  return { variation, otherVariation: variation === 0 ? 1 : 0 }
}

/**
 * Holds or resumes the automated release of an audience. Returns the configuration itself when it has no automated
 * release.
 */
function withAutomation(
  context: ServeContext,
  config: FlagConfig,
  { id }: ReleaseAudience,
  transition: 'hold' | 'resume',
): FlagConfig {
  const now = context.readClock()
  const releases = config.automatedReleases ?? []
  const changed = releases.map((release) => {
    if (release.audienceId !== id) return release
    return transition === 'hold' ? holdAutomation(release, now, 'its phase is paused') : resumeAutomation(release, now)
  })
  return changed.every((release, index) => release === releases[index])
    ? config
    : { ...config, automatedReleases: changed }
}

function refuseWith({ fail }: ServeContext): FlagChange['refuse'] {
  return (problems) => {
    const pathPrefix = (key: string | undefined) => (key === undefined ? '' : `environments.${key}.`)
    const errorOf = ({ environmentKey, attribute, reason }: (typeof problems)[number]) => ({
      attribute: `${pathPrefix(environmentKey)}${attribute}`,
      reason,
    })
    return fail('invalid_request', { errors: problems.map(errorOf) })
  }
}
