import { consolePaths } from '../../../console-paths.ts'
import type { FlagPlace } from '../../review/reviewed-change.ts'
import { callConsole } from '../../session.ts'

/** Maximum number of flags in a request. */
const maxFlags = 100

interface Waiting {
  readonly place: FlagPlace
  readonly resolve: (counts: readonly number[]) => void
}

let waiting: Waiting[] = []

/**
 * Returns the number of evaluations of a flag in each period of the last week, oldest first. Flags whose counts are
 * read at the same time, such as the visible rows of a list, share a request. The list is empty when the counts cannot
 * be read.
 */
export function readEvaluationCounts(place: FlagPlace): Promise<readonly number[]> {
  return new Promise((resolve) => {
    if (waiting.push({ place, resolve }) === 1) setTimeout(() => void readAll(), 0)
  })
}

async function readAll(): Promise<void> {
  const all = waiting
  waiting = []
  const groups = new Map<string, Waiting[]>()
  for (const each of all) {
    const name = `${each.place.project} ${each.place.environment}`
    groups.set(name, [...(groups.get(name) ?? []), each])
  }
  for (const group of groups.values())
    for (let start = 0; start < group.length; start += maxFlags) await readGroup(group.slice(start, start + maxFlags))
}

/** Reads the counts of flags in one environment. */
async function readGroup(group: readonly Waiting[]): Promise<void> {
  const { project, environment } = group[0]?.place ?? {}
  const body = {
    projectKey: project,
    environmentKey: environment,
    flagKeys: group.map(({ place }) => place.flag),
  }
  const { items } = await callConsole<{ items: { key: string; counts: number[] }[] }>(
    consolePaths.evaluations,
    body,
  ).catch(() => ({ items: [] }))
  const counts = new Map(items.map(({ key, counts: ofFlag }) => [key, ofFlag]))
  for (const { place, resolve } of group) resolve(counts.get(place.flag) ?? [])
}
