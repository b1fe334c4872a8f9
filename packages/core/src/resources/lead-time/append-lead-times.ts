import type { Sample } from '../../storage/port.ts'
import type { Tally, Writer } from '../../storage/writer.ts'
import type { Environment } from '../environments/environment.ts'
import { dayOf, leadTimeEpochs, markOf, openDays, type Place } from './lead-time-day.ts'
import { leadTimeSamples } from './lead-time-sample.ts'

/**
 * Adds lead-time samples, and marks their days: the one way by which they come in, so that no summary is read in the
 * place of samples which it lacks.
 *
 * @param environment the one of `place`, which the caller's unit stands on.
 */
export async function appendLeadTimes(
  tx: Writer,
  { projectKey, environmentKey }: Place,
  environment: Pick<Environment, 'id'>,
  samples: readonly Sample[],
): Promise<Tally> {
  const place = { projectKey, environmentKey }
  const known = await tx.get(leadTimeEpochs, place)
  if (known) tx.expect(leadTimeEpochs, place, known)
  const { epoch } = known ?? tx.insert(leadTimeEpochs, place, { epoch: 0 })
  for (const day of new Set(samples.map(({ at }) => dayOf(at)))) {
    const mark = { day, epoch, environmentId: environment.id }
    tx.ensure(openDays, { ...place, mark: markOf(mark) }, mark)
  }
  return tx.append(leadTimeSamples, place, samples)
}
