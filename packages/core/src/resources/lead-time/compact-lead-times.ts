import { accountImports } from '../../models/back-ups/account-import.ts'
import { environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import {
  dayOf,
  leadTimeDays,
  leadTimeEpochs,
  leadTimeHours,
  markOf,
  openDays,
  partOf,
  summarizedApplications,
} from '../../models/lead-time/lead-time-day.ts'
import { columnCount, leadTimeSamples } from '../../models/lead-time/lead-time-sample.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult, CompactOptions } from '../../operation/tasks/maintenance.ts'
import { parseAddress } from '../../rules/address.ts'
import { type DaySummary, dayMs, summarizeDay } from '../../rules/lead-time/index.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'

/** Number of open days that are read at a time. */
const pageSize = 1_000

/** Maximum number of applications that are read, which is more than any environment has. */
const maxApplications = 1_000_000

/**
 * Summarizes the open days that have ended, oldest first, each in one commit. It may be stopped at any time and may run
 * in several processes: a day that another process changed concurrently stays open for the next run. It keeps the
 * samples of one day at a time in memory.
 *
 * @param host its current time decides which days have ended.
 * @returns the number of summarized days, and a flag that is true when more days are pending, because the run stopped
 *   early or conflicted with another process.
 */
export async function compactLeadTimes(
  storage: AccountStorage,
  { now }: Pick<Host, 'now'>,
  { limit = Number.POSITIVE_INFINITY, deadline = Number.POSITIVE_INFINITY, signal, progress }: CompactOptions = {},
): Promise<CompactionResult> {
  const epochs = new Map<string, Epoch>()
  let days = 0
  for (;;) {
    const openPage = await listOpenDays(storage, dayOf(now()))
    if (await isImporting(storage)) return { days, more: openPage.days.length > 0 }
    const before = days
    for (const { scope, keys, day } of openPage.days) {
      if (days >= limit || now() >= deadline || signal?.aborted) return { days, more: true }
      const epoch = epochs.get(scope) ?? (await beginEpoch(storage, keys))
      epochs.set(scope, epoch)
      if (!(await compactDay(storage, { keys, day }, epoch))) continue
      days++
      progress?.(days)
    }
    const summarized = days - before
    // Days that were changed concurrently are left to the next run, otherwise this one might not end.
    if (!openPage.hasMore || summarized === 0)
      return { days, more: openPage.hasMore || summarized < openPage.days.length }
  }
}

/**
 * Returns true while an import is running. A running import may have written the marks of days without their samples,
 * because it writes the marks first.
 */
async function isImporting(storage: AccountStorage): Promise<boolean> {
  return (await new StorageReader(storage).get(accountImports, {})) !== undefined
}

interface LocatedDay {
  readonly scope: string
  readonly keys: EnvironmentKeys
  readonly day: number
}

async function listOpenDays(storage: AccountStorage, today: number): Promise<{ days: LocatedDay[]; hasMore: boolean }> {
  const rows = await storage.list({
    collection: openDays.name,
    scope: '',
    deep: true,
    where: [{ op: 'range', field: 'day', to: today }],
    order: [{ field: 'day', type: 'number' }],
    limit: pageSize,
    select: 'fields',
  })
  const days = new Map<string, LocatedDay>()
  for (const { scope, fields } of rows.items) {
    const day = fields.day as number
    days.set(`${scope} ${day}`, { scope, keys: keysOf(scope), day })
  }
  return { days: [...days.values()], hasMore: rows.items.length === pageSize }
}

function keysOf(scope: string): EnvironmentKeys {
  const [project, environment] = parseAddress(scope) ?? []
  return { projectKey: project?.key ?? '', environmentKey: environment?.key ?? '' }
}

/**
 * The last ended epoch of an environment (see `LeadTimeEpoch`). All samples of days that were marked as open until its
 * end are stored.
 */
interface Epoch {
  readonly lastEnded: number
  readonly environmentId: string | undefined
}

/** Starts a new epoch and returns the last ended one. */
async function beginEpoch(storage: AccountStorage, keys: EnvironmentKeys): Promise<Epoch> {
  const unit = new UnitOfWork(storage)
  const [environment, before] = await Promise.all([unit.get(environments, keys), unit.get(leadTimeEpochs, keys)])
  if (before) unit.follow(leadTimeEpochs, keys, before, { ...before, epoch: before.epoch + 1 })
  await unit.commit()
  // The current epoch is read, because the commit may have failed, or another process may have started the epoch.
  const current = await new StorageReader(storage).get(leadTimeEpochs, keys)
  return { lastEnded: (current?.epoch ?? 0) - 1, environmentId: environment?.id }
}

/** A day of an environment, as the number of days since 1970. */
interface EnvironmentDay {
  readonly keys: EnvironmentKeys
  readonly day: number
}

async function compactDay(storage: AccountStorage, environmentDay: EnvironmentDay, epoch: Epoch): Promise<boolean> {
  const { keys, day } = environmentDay
  const unit = new UnitOfWork(storage)
  const { items: marks } = await unit.list(openDays, keys, {
    where: [{ op: 'equals', field: 'day', value: day }],
    limit: pageSize,
  })
  const [environment, importRunning] = await Promise.all([unit.get(environments, keys), isImporting(storage)])
  const settledMarks = marks.filter(
    (mark) => mark.environmentId === epoch.environmentId && mark.epoch <= epoch.lastEnded,
  )
  if (settledMarks.length === 0 || !environment || importRunning) return false
  unit.expect(environments, keys, environment)
  // Another process that summarizes the day removes the same marks, so only the first of two processes can commit.
  for (const mark of settledMarks) unit.remove(openDays, { ...keys, mark: markOf(mark) }, mark)
  const samples = await unit.scan(leadTimeSamples, keys, {
    from: day * dayMs,
    to: (day + 1) * dayMs,
    columns: columnCount,
  })
  await writeSummaries(unit, environmentDay, summarizeDay(samples, day * dayMs))
  return (await unit.commit()) === undefined
}

async function writeSummaries(
  unit: UnitOfWork,
  { keys: environmentKeys, day }: EnvironmentDay,
  summaries: readonly DaySummary[],
): Promise<void> {
  const ids = summaries.map(({ application }) => ({ ...environmentKeys, part: partOf(day, application) }))
  const [days, hours] = await Promise.all([unit.getMany(leadTimeDays, ids), unit.getMany(leadTimeHours, ids)])
  for (const [i, { application, ...summary }] of summaries.entries()) {
    const keys = { ...environmentKeys, part: partOf(day, application) }
    const [storedDay, storedHours] = [days[i], hours[i]]
    const hoursOfDay = summary.hours.map((hour) => hour ?? null)
    if (storedDay) unit.follow(leadTimeDays, keys, storedDay, { ...storedDay, summary: summary.day })
    else unit.insert(leadTimeDays, keys, { summary: summary.day })
    if (storedHours) unit.follow(leadTimeHours, keys, storedHours, { ...storedHours, hours: hoursOfDay })
    else unit.insert(leadTimeHours, keys, { hours: hoursOfDay })
  }
  await removeEmptySummaries(
    unit,
    { keys: environmentKeys, day },
    new Set(summaries.map(({ application }) => application)),
  )
  const applications = summaries.flatMap(({ application }) => application ?? [])
  unit.addKeys(summarizedApplications, environmentKeys, applications)
}

/** Removes the summaries of applications whose last samples of the day were deleted since the day was summarized. */
async function removeEmptySummaries(
  unit: UnitOfWork,
  { keys, day }: EnvironmentDay,
  summarized: ReadonlySet<string | undefined>,
): Promise<void> {
  if (!(await unit.get(leadTimeDays, { ...keys, part: partOf(day, undefined) }))) return
  const applications = await unit.pageKeys(summarizedApplications, keys, { limit: maxApplications })
  const ids = [undefined, ...applications]
    .filter((application) => !summarized.has(application))
    .map((application) => ({ ...keys, part: partOf(day, application) }))
  const [days, hours] = await Promise.all([unit.getMany(leadTimeDays, ids), unit.getMany(leadTimeHours, ids)])
  for (const [i, keys] of ids.entries()) {
    const [storedDay, hoursOfDay] = [days[i], hours[i]]
    if (storedDay) unit.remove(leadTimeDays, keys, storedDay)
    if (hoursOfDay) unit.remove(leadTimeHours, keys, hoursOfDay)
  }
}
