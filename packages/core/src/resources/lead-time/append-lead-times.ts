import type { Environment } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { dayOf, leadTimeEpochs, markOf, openDays } from '../../models/lead-time/lead-time-day.ts'
import { leadTimeSamples } from '../../models/lead-time/lead-time-sample.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { Sample } from '../../storage/port.ts'
import type { Tally } from '../../storage/writer.ts'
import { compactLeadTimes } from './compact-lead-times.ts'

/** Samples to append, and samples to delete. */
export interface SampleChanges {
  /** Samples whose ids exist stay unchanged, unless they are deleted. */
  readonly samples: readonly Sample[]
  /** Earlier samples, exactly as they were added, which are replaced because more is known now. */
  readonly deleted?: readonly Sample[]
}

/**
 * Adds and deletes lead-time samples, and marks their days as open. All samples are added and deleted here, so that a
 * summary is never used for a day with samples that the summary does not contain.
 *
 * @param context its engine summarizes past days of a storage in memory after many samples.
 * @param environment the environment of the samples. The caller's unit requires that it is unchanged.
 */
export async function appendLeadTimes(
  { tx, options }: Pick<WriteContext, 'tx' | 'options'>,
  { projectKey, environmentKey }: EnvironmentKeys,
  environment: Pick<Environment, 'id'>,
  { samples, deleted = [] }: SampleChanges,
): Promise<Tally> {
  const environmentKeys = { projectKey, environmentKey }
  const storedEpoch = await tx.get(leadTimeEpochs, environmentKeys)
  if (storedEpoch) tx.expect(leadTimeEpochs, environmentKeys, storedEpoch)
  const { epoch } = storedEpoch ?? tx.insert(leadTimeEpochs, environmentKeys, { epoch: 0 })
  for (const day of new Set([...deleted, ...samples].map(({ at }) => dayOf(at)))) {
    const mark = { day, epoch, environmentId: environment.id }
    tx.ensure(openDays, { ...environmentKeys, mark: markOf(mark) }, mark)
  }
  if (deleted.length > 0) {
    tx.deleteSamples(
      leadTimeSamples,
      environmentKeys,
      deleted.map(({ id }) => id),
    )
  }
  options.runInBackground?.(compactLeadTimes, samples.length + deleted.length)
  return tx.append(leadTimeSamples, environmentKeys, samples)
}
