import type { Environment } from '../../models/environments/environment.ts'
import { dayOf, leadTimeEpochs, markOf, openDays, type Place } from '../../models/lead-time/lead-time-day.ts'
import { leadTimeSamples } from '../../models/lead-time/lead-time-sample.ts'
import type { Sample } from '../../storage/port.ts'
import type { Tally, Writer } from '../../storage/writer.ts'

/**
 * Adds lead-time samples, withdraws some, and marks their days: the one way by which they come and go, so that no summary is read in the
 * place of samples which it lacks.
 *
 * @param samples those whose ids are there already stay as they are, unless they are withdrawn.
 * @param withdrawn as they were added: something else is known now.
 * @param environment the one of `place`, which the caller's unit stands on.
 */
export async function appendLeadTimes(
  tx: Writer,
  { projectKey, environmentKey }: Place,
  environment: Pick<Environment, 'id'>,
  samples: readonly Sample[],
  withdrawn: readonly Sample[] = [],
): Promise<Tally> {
  const place = { projectKey, environmentKey }
  const known = await tx.get(leadTimeEpochs, place)
  if (known) tx.expect(leadTimeEpochs, place, known)
  const { epoch } = known ?? tx.insert(leadTimeEpochs, place, { epoch: 0 })
  for (const day of new Set([...withdrawn, ...samples].map(({ at }) => dayOf(at)))) {
    const mark = { day, epoch, environmentId: environment.id }
    tx.ensure(openDays, { ...place, mark: markOf(mark) }, mark)
  }
  if (withdrawn.length > 0) {
    tx.deleteSamples(
      leadTimeSamples,
      place,
      withdrawn.map(({ id }) => id),
    )
  }
  return tx.append(leadTimeSamples, place, samples)
}
