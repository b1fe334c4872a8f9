import { createMemoryStorage } from '@halyard/storage-memory'
import { createEngine, type Engine } from '../../../index.ts'

export const hour = 3_600_000
export const day = 24 * hour

// Shortly after the end of a February in a leap year.
export const now = Date.UTC(2028, 2, 3, 15, 30)
export const admin = { role: 'admin' } as const
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

export async function engineWithProjects(storage = createMemoryStorage()): Promise<Engine> {
  const engine = createEngine({ storage, clock: () => now })
  await engine.migrate()
  await engine.bootstrap({ token: 'a-token-for-this-test' })
  for (const key of ['web', 'other']) await engine.api.createProject({ body: { key, name: key } }, { as: admin })
  return engine
}

/** Sends a request in the form in which transports pass it, as the administrator and with the beta header. */
export function send(
  engine: Engine,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const allHeaders: Record<string, string> = {
    authorization: 'a-token-for-this-test',
    'svc-api-version': 'beta',
    ...headers,
  }
  const [pathname = '', query = ''] = path.split('?')
  return engine.handle({
    method: body === undefined ? 'GET' : 'POST',
    path: pathname,
    query,
    header: (name) => allHeaders[name],
    body: { kind: 'parsed', value: body },
  })
}

export interface Sample {
  readonly externalId: string
  readonly applicationKey: string
  readonly startedAt: number
  readonly openedAt?: number
  readonly mergedAt: number
  readonly deployStartedAt?: number
  readonly deployedAt: number
}

/** Makes a deterministic generator of pseudo-random numbers. */
function createRandom(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** Makes a realistic history: some samples have no review or no start of deployment, some have times out of order. */
export function history(count: number, seed: number): Sample[] {
  const roll = createRandom(seed)
  return Array.from({ length: count }, (_, i) => {
    const deployedAt = now - 12 * day + roll(14 * day)
    const deployStartedAt = deployedAt - roll(2 * hour) + (roll(20) === 0 ? 3 * hour : 0)
    const mergedAt = deployStartedAt - roll(2 * day)
    const openedAt = mergedAt - roll(3 * day) + (roll(20) === 0 ? 4 * day : 0)
    return {
      externalId: `pr-${i}`,
      applicationKey: ['api', 'shop', 'worker'][roll(3)] as string,
      startedAt: openedAt - roll(4 * day),
      ...(roll(4) === 0 ? {} : { openedAt }),
      mergedAt,
      ...(roll(4) === 0 ? {} : { deployStartedAt }),
      deployedAt,
    }
  })
}

/**
 * Durations as decision D25 (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time) defines them, computed
 * independently.
 */
const durationOfStage: Record<string, (sample: Sample) => number> = {
  coding: (s) => (s.openedAt ?? s.mergedAt) - s.startedAt,
  review: (s) => (s.openedAt === undefined ? Number.NaN : s.mergedAt - s.openedAt),
  wait: (s) => (s.deployStartedAt ?? s.deployedAt) - s.mergedAt,
  deploy: (s) => (s.deployStartedAt === undefined ? Number.NaN : s.deployedAt - s.deployStartedAt),
  total: (s) => s.deployedAt - s.startedAt,
}

export function durations(samples: readonly Sample[], stage: string): number[] {
  return samples.map(durationOfStage[stage] as (sample: Sample) => number).filter((ms) => ms >= 0)
}

export function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((a, b) => a + b, 0) / numbers.length
}

/** the value at rank (n - 1) p, counted from 0, interpolated between its neighbors. */
export function quantile(numbers: readonly number[], p: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const rank = (sorted.length - 1) * p
  const low = sorted[Math.floor(rank)] ?? 0
  const high = sorted[Math.ceil(rank)] ?? 0
  return low + (high - low) * (rank - Math.floor(rank))
}
