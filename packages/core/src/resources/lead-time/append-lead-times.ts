import type { Sample } from '../../storage/port.ts'
import type { Tally, Writer } from '../../storage/writer.ts'
import { dayOf, leadTimeEpochs, openDays, type Place } from './lead-time-day.ts'
import { leadTimeSamples } from './lead-time-sample.ts'

/**
 * Adds lead-time samples, and marks their days: the one way by which they come in, so that no summary is read in the
 * place of samples which it lacks.
 */
export async function appendLeadTimes(tx: Writer, place: Place, samples: readonly Sample[]): Promise<Tally> {
  const known = await tx.get(leadTimeEpochs, place)
  if (known) tx.expect(leadTimeEpochs, place, known)
  const { epoch } = known ?? tx.insert(leadTimeEpochs, place, { epoch: 0 })
  for (const day of new Set(samples.map(({ at }) => dayOf(at)))) {
    tx.ensure(openDays, { ...place, mark: `${day} ${epoch}` }, { day, epoch })
  }
  return tx.append(leadTimeSamples, place, samples)
}
