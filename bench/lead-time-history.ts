import type { Engine } from '@halyard/core'

const hour = 3_600_000
export const day = 24 * hour
/** When the bench takes place: an hour into a day, so that the thirty days before it are whole. */
export const now = Date.UTC(2028, 0, 31)
export const place = { projectKey: 'web', environmentKey: 'production' }
const applications = ['api', 'billing', 'search', 'shop', 'worker']

export interface Change {
  readonly externalId: string
  readonly applicationKey: string
  readonly startedAt: number
  readonly openedAt: number
  readonly mergedAt: number
  readonly deployStartedAt: number
  readonly deployedAt: number
}

/** Changes spread evenly over the days before `now`, with lead times from minutes to weeks; the same each time. */
export function* history(count: number, days: number): Generator<Change> {
  let state = 7
  const roll = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  // Many short ones and few long ones, as lead times are.
  const duration = (typical: number) => Math.round(typical * -Math.log(1 - roll()))
  for (let i = 0; i < count; i++) {
    const deployedAt = now - Math.floor(((i + roll()) / count) * days * day) - 1
    const deployStartedAt = deployedAt - duration(hour / 6)
    const mergedAt = deployStartedAt - duration(8 * hour)
    const openedAt = mergedAt - duration(20 * hour)
    yield {
      externalId: `change-${i}`,
      applicationKey: applications[Math.floor(roll() * applications.length)] as string,
      startedAt: openedAt - duration(30 * hour),
      openedAt,
      mergedAt,
      deployStartedAt,
      deployedAt,
    }
  }
}

/** Adds changes as clients do, ten thousand in a call; returns how many a second. */
export async function addHistory(engine: Engine, as: { token: string }, changes: Iterable<Change>): Promise<number> {
  let spent = 0
  let count = 0
  const add = async (samples: Change[]) => {
    const begin = performance.now()
    await engine.api.createLeadTimeSamples({ body: { ...place, samples } }, { as: as.token })
    spent += performance.now() - begin
    count += samples.length
  }
  let batch: Change[] = []
  for (const change of changes) {
    batch.push(change)
    if (batch.length === 10_000) {
      await add(batch)
      batch = []
    }
  }
  if (batch.length > 0) await add(batch)
  return Math.round((count / spent) * 1000)
}
