import type { FlagKeys } from '../../models/flags/flag.ts'
import type { FlagConfig } from '../../models/flags/flag-config.ts'
import { type Release, type ReleaseAudience, type ReleasePhase, releases } from '../../models/releases/release.ts'
import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'
import type { FlagChange } from '../flags/changes/flag-change.ts'
import { saveFlag } from '../flags/changes/save-flag.ts'
import { type FlagState, loadFlag } from '../flags/flag-state.ts'
import { targetAudience } from './audience-targeting.ts'

type SaveContext = Context<Writer, 'invalid_request' | 'not_found'>

/**
 * Stores an advanced release. A phase that starts changes the flag in the environments of its audiences like any other
 * change of a flag: with the required actions, comments and approvals.
 *
 * @param comment comment of the caller. Some environments require one.
 */
export async function saveRelease(
  context: SaveContext,
  keys: FlagKeys,
  before: Release,
  after: Release,
  comment: string | undefined,
): Promise<Release> {
  const { tx } = context
  const startedPhases = after.phases.filter(
    ({ startedAt }, index) => startedAt !== undefined && before.phases[index]?.startedAt === undefined,
  )
  if (startedPhases.length === 0) return tx.replace(releases, keys, before, after)
  const state = (await loadFlag(tx, keys, context)) ?? context.fail('not_found')
  const { phases, configs } = servePhases(context, state, after, startedPhases)
  const storedRelease = tx.replace(releases, keys, before, { ...after, phases })
  await saveFlag(context, keys, state, { flag: state.flag, configs, comment, refuse: refuseWith(context) })
  return storedRelease
}

function refuseWith({ fail }: SaveContext): FlagChange['refuse'] {
  return (problems) => {
    const pathPrefix = (key: string | undefined) => (key === undefined ? '' : `environments.${key}.`)
    const errorOf = ({ environmentKey, attribute, reason }: (typeof problems)[number]) => ({
      attribute: `${pathPrefix(environmentKey)}${attribute}`,
      reason,
    })
    return fail('invalid_request', { errors: problems.map(errorOf) })
  }
}

interface ServeResult {
  readonly phases: readonly ReleasePhase[]
  readonly configs: Map<string, FlagConfig>
}

/** Applies the targeting of started phases. Audiences of deleted environments are skipped. */
function servePhases(
  context: SaveContext,
  { flag, configs: storedRelease }: FlagState,
  { phases, variationId }: Release,
  startedPhases: readonly ReleasePhase[],
): ServeResult {
  const { fail } = context
  const host = context.useHost()
  const variation = flag.variations.findIndex(({ _id }) => _id === variationId)
  if (variation < 0) {
    const reason = 'must be the _id of a variation of the flag: replace the release to serve another one'
    fail('invalid_request', { errors: [{ attribute: 'releaseVariationId', reason }] })
  }
  const otherVariation = variation === 0 ? 1 : 0
  const configs = new Map<string, FlagConfig>()
  const serve = (audience: ReleaseAudience): ReleaseAudience => {
    const { environmentKey } = audience
    const config = configs.get(environmentKey) ?? storedRelease.get(environmentKey)
    if (!config) return audience
    const targeted = targetAudience(config, audience, variation, otherVariation, host.newId)
    configs.set(environmentKey, targeted.config)
    return targeted.audience
  }
  const servedPhases = phases.map((phase) =>
    startedPhases.includes(phase) ? { ...phase, audiences: phase.audiences.map(serve) } : phase,
  )
  return { phases: servedPhases, configs }
}
