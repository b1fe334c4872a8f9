import { dayMs, type SummarisedDay, summariseDay } from '../../rules/lead-time/index.ts'
import { parseAddress } from '../../rules/address.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { reader } from '../../storage/reader.ts'
import { type UnitOfWork, unitOfWork } from '../../storage/unit-of-work.ts'
import { environments } from '../environments/environment.ts'
import {
  dayOf,
  leadTimeDays,
  leadTimeEpochs,
  leadTimeHours,
  type OpenDay,
  openDays,
  type Place,
  partOf,
  summarisedApplications,
} from './lead-time-day.ts'
import { columnCount, leadTimeSamples } from './lead-time-sample.ts'

export interface CompactOptions {
  /** Days to summarise at most. Default: all that are over. */
  readonly limit?: number
  /** No day is begun after this time; integer ms, UTC. Default: none. */
  readonly deadline?: number
}

/** Days that were summarised, and whether some are left. */
export interface Compacted {
  readonly days: number
  readonly more: boolean
}

/** Open days looked at in one turn. */
const page = 1_000

/**
 * Summarises the open days that are over, oldest first, each in one commit. It may be stopped at any moment and run in
 * several processes at once: a day that another one changed meanwhile stays open for the next time.
 *
 * @param now the present time; a day is over when it ended before it.
 */
export async function compactLeadTimes(
  storage: AccountStorage,
  now: () => number,
  { limit = Number.POSITIVE_INFINITY, deadline = Number.POSITIVE_INFINITY }: CompactOptions = {},
): Promise<Compacted> {
  const begun = new Map<string, number>()
  let days = 0
  for (;;) {
    const open = await openPlaces(storage, dayOf(now()))
    let done = 0
    for (const { scope, place, day } of open.days) {
      if (days >= limit || now() >= deadline) return { days, more: true }
      if (!begun.has(scope)) begun.set(scope, await beginEpoch(storage, place))
      if (await compactDay(storage, place, day, begun.get(scope) as number)) done++
    }
    days += done
    // What others changed meanwhile is left to the next time: this one would not end.
    if (!open.more || done === 0) return { days, more: open.more || done < open.days.length }
  }
}

interface PlacedDay {
  readonly scope: string
  readonly place: Place
  readonly day: number
}

async function openPlaces(storage: AccountStorage, today: number): Promise<{ days: PlacedDay[]; more: boolean }> {
  const found = await storage.list({
    collection: openDays.name,
    scope: '',
    deep: true,
    where: [{ op: 'range', field: 'day', to: today }],
    order: [{ field: 'day', type: 'number' }],
    limit: page,
    select: 'fields',
  })
  const days = new Map<string, PlacedDay>()
  for (const { scope, fields } of found.items) {
    const day = fields.day as number
    days.set(`${scope} ${day}`, { scope, place: placeOf(scope), day })
  }
  return { days: [...days.values()], more: found.items.length === page }
}

function placeOf(scope: string): Place {
  const [project, environment] = parseAddress(scope) ?? []
  return { projectKey: project?.key ?? '', environmentKey: environment?.key ?? '' }
}

/** Begins a new epoch. Answers the last one that is over: marks of it are about samples that are there now. */
async function beginEpoch(storage: AccountStorage, place: Place): Promise<number> {
  const unit = unitOfWork(storage)
  const before = await unit.get(leadTimeEpochs, place)
  if (before) unit.follow(leadTimeEpochs, place, before, { ...before, epoch: before.epoch + 1 })
  await unit.commit()
  // Another process may have begun it, or nobody.
  const current = await reader(storage).get(leadTimeEpochs, place)
  return (current?.epoch ?? 0) - 1
}

async function compactDay(storage: AccountStorage, place: Place, day: number, lastEpoch: number): Promise<boolean> {
  const unit = unitOfWork(storage)
  const { items: marks } = await unit.list(openDays, place, {
    where: [{ op: 'equals', field: 'day', value: day }],
    limit: page,
  })
  const environment = await unit.get(environments, place)
  const settled = marks.filter(({ epoch }) => epoch <= lastEpoch)
  if (settled.length === 0 || !environment) return false
  unit.expect(environments, place, environment)
  // Before the samples: whoever summarises the day anew meanwhile has seen at least as many.
  const parts = await knownParts(storage, place, day)
  const samples = await unit.scan(leadTimeSamples, place, {
    from: day * dayMs,
    to: (day + 1) * dayMs,
    columns: columnCount,
  })
  writeSummaries(unit, place, day, summariseDay(samples, day * dayMs), parts)
  for (const mark of settled) unit.remove(openDays, { ...place, mark: markOf(mark) }, mark)
  return (await unit.commit()) === undefined
}

function markOf({ day, epoch }: OpenDay): string {
  return `${day} ${epoch}`
}

/** Samples never go, so a day's summary is only ever replaced by one that knows more. */
async function knownParts(storage: AccountStorage, place: Place, day: number) {
  const tx = reader(storage)
  const applications = [undefined, ...(await tx.pageMembers(summarisedApplications, place, { limit: 10_000 }))]
  const ids = applications.map((application) => ({ ...place, part: partOf(day, application) }))
  const [days, hours] = await Promise.all([tx.getMany(leadTimeDays, ids), tx.getMany(leadTimeHours, ids)])
  return new Map(ids.map(({ part }, i) => [part, { day: days[i], hours: hours[i] }]))
}

function writeSummaries(
  unit: UnitOfWork,
  place: Place,
  day: number,
  summaries: readonly SummarisedDay[],
  known: Awaited<ReturnType<typeof knownParts>>,
): void {
  for (const summary of summaries) {
    const keys = { ...place, part: partOf(day, summary.application) }
    const before = known.get(keys.part)
    const hours = summary.hours.map((hour) => hour ?? null)
    if (before?.day) unit.follow(leadTimeDays, keys, before.day, { ...before.day, summary: summary.day })
    else unit.insert(leadTimeDays, keys, { summary: summary.day })
    if (before?.hours) unit.follow(leadTimeHours, keys, before.hours, { ...before.hours, hours })
    else unit.insert(leadTimeHours, keys, { hours })
  }
  const applications = summaries.flatMap(({ application }) => application ?? [])
  unit.addMembers(summarisedApplications, place, applications)
}
