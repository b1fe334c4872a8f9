import { accountImports } from '../../models/back-ups/account-import.ts'
import { environments } from '../../models/environments/environment.ts'
import {
  dayOf,
  leadTimeDays,
  leadTimeEpochs,
  leadTimeHours,
  markOf,
  openDays,
  type Place,
  partOf,
  summarisedApplications,
} from '../../models/lead-time/lead-time-day.ts'
import { columnCount, leadTimeSamples } from '../../models/lead-time/lead-time-sample.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult, CompactOptions } from '../../operation/tasks/maintenance.ts'
import { parseAddress } from '../../rules/address.ts'
import { dayMs, type SummarisedDay, summariseDay } from '../../rules/lead-time/index.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'

/** Number of open days that are read at once. */
const page = 1_000

/** More than any environment has. */
const mostApplications = 1_000_000

/**
 * Summarizes the open days that have ended, oldest first, each in one commit. It may be stopped at any time and may run
 * in several processes: a day that another process changed concurrently stays open for the next run. It keeps the
 * samples of one day at a time in memory.
 *
 * @param host its current time decides which days have ended.
 * @returns the number of summarized days, and whether more are pending: the run stopped early, or conflicted with
 *   another process.
 */
export async function compactLeadTimes(
  storage: AccountStorage,
  { now }: Pick<Host, 'now'>,
  { limit = Number.POSITIVE_INFINITY, deadline = Number.POSITIVE_INFINITY, signal, progress }: CompactOptions = {},
): Promise<CompactionResult> {
  const begun = new Map<string, Epoch>()
  let days = 0
  for (;;) {
    const open = await openPlaces(storage, dayOf(now()))
    if (await isImporting(storage)) return { days, more: open.days.length > 0 }
    const before = days
    for (const { scope, place, day } of open.days) {
      if (days >= limit || now() >= deadline || signal?.aborted) return { days, more: true }
      const epoch = begun.get(scope) ?? (await beginEpoch(storage, place))
      begun.set(scope, epoch)
      if (!(await compactDay(storage, place, day, epoch))) continue
      days++
      progress?.(days)
    }
    const done = days - before
    // Days that were changed concurrently are left to the next run, otherwise this one might not end.
    if (!open.more || done === 0) return { days, more: open.more || done < open.days.length }
  }
}

/** Tells whether an import is running. It writes the marks before the samples that they are about. */
async function isImporting(storage: AccountStorage): Promise<boolean> {
  return (await new StorageReader(storage).get(accountImports, {})) !== undefined
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

/** The last ended epoch of an environment. All samples that its marks are about are stored. */
interface Epoch {
  readonly last: number
  readonly environmentId: string | undefined
}

/** Starts a new epoch and returns the last ended one. */
async function beginEpoch(storage: AccountStorage, place: Place): Promise<Epoch> {
  const unit = new UnitOfWork(storage)
  const [environment, before] = await Promise.all([unit.get(environments, place), unit.get(leadTimeEpochs, place)])
  if (before) unit.follow(leadTimeEpochs, place, before, { ...before, epoch: before.epoch + 1 })
  await unit.commit()
  // The commit may have failed, or another process may have started the epoch.
  const current = await new StorageReader(storage).get(leadTimeEpochs, place)
  return { last: (current?.epoch ?? 0) - 1, environmentId: environment?.id }
}

async function compactDay(storage: AccountStorage, place: Place, day: number, epoch: Epoch): Promise<boolean> {
  const unit = new UnitOfWork(storage)
  const { items: marks } = await unit.list(openDays, place, {
    where: [{ op: 'equals', field: 'day', value: day }],
    limit: page,
  })
  const [environment, importing] = await Promise.all([unit.get(environments, place), isImporting(storage)])
  const settled = marks.filter((mark) => mark.environmentId === epoch.environmentId && mark.epoch <= epoch.last)
  if (settled.length === 0 || !environment || importing) return false
  unit.expect(environments, place, environment)
  // Another process that summarizes the day removes the same marks, so only the first of two commits.
  for (const mark of settled) unit.remove(openDays, { ...place, mark: markOf(mark) }, mark)
  const samples = await unit.scan(leadTimeSamples, place, {
    from: day * dayMs,
    to: (day + 1) * dayMs,
    columns: columnCount,
  })
  await writeSummaries(unit, place, day, summariseDay(samples, day * dayMs))
  return (await unit.commit()) === undefined
}

async function writeSummaries(
  unit: UnitOfWork,
  place: Place,
  day: number,
  summaries: readonly SummarisedDay[],
): Promise<void> {
  const ids = summaries.map(({ application }) => ({ ...place, part: partOf(day, application) }))
  const [days, hours] = await Promise.all([unit.getMany(leadTimeDays, ids), unit.getMany(leadTimeHours, ids)])
  for (const [i, { application, ...summary }] of summaries.entries()) {
    const keys = { ...place, part: partOf(day, application) }
    const [knownDay, knownHours] = [days[i], hours[i]]
    const ofHours = summary.hours.map((hour) => hour ?? null)
    if (knownDay) unit.follow(leadTimeDays, keys, knownDay, { ...knownDay, summary: summary.day })
    else unit.insert(leadTimeDays, keys, { summary: summary.day })
    if (knownHours) unit.follow(leadTimeHours, keys, knownHours, { ...knownHours, hours: ofHours })
    else unit.insert(leadTimeHours, keys, { hours: ofHours })
  }
  await removeOthers(unit, place, day, new Set(summaries.map(({ application }) => application)))
  const applications = summaries.flatMap(({ application }) => application ?? [])
  unit.addKeys(summarisedApplications, place, applications)
}

/** Removes the summaries of applications whose last samples of the day were deleted since the day was summarized. */
async function removeOthers(
  unit: UnitOfWork,
  place: Place,
  day: number,
  summarised: ReadonlySet<string | undefined>,
): Promise<void> {
  if (!(await unit.get(leadTimeDays, { ...place, part: partOf(day, undefined) }))) return
  const known = await unit.pageKeys(summarisedApplications, place, { limit: mostApplications })
  const ids = [undefined, ...known]
    .filter((application) => !summarised.has(application))
    .map((application) => ({ ...place, part: partOf(day, application) }))
  const [days, hours] = await Promise.all([unit.getMany(leadTimeDays, ids), unit.getMany(leadTimeHours, ids)])
  for (const [i, keys] of ids.entries()) {
    const [ofDay, ofHours] = [days[i], hours[i]]
    if (ofDay) unit.remove(leadTimeDays, keys, ofDay)
    if (ofHours) unit.remove(leadTimeHours, keys, ofHours)
  }
}
