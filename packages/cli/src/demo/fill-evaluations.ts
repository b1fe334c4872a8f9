import type { BoundApi, Engine } from '@halyard/core'

const production = { projectKey: 'demo', environmentKey: 'production' }
const hourMs = 3_600_000

/** Hours before now whose evaluations are reported: SDKs may report events that are at most a day old. */
const hours = 23

/** Mean number of evaluations of a flag in an hour. */
const evaluationsPerHour = 120

/**
 * Reports evaluations of the last day, as an SDK does, so that the list of flags shows them. Reports nothing when they
 * were reported before.
 */
export async function fillEvaluations(engine: Engine, api: BoundApi): Promise<void> {
  const { items: flags } = await api.listFlags({ projectKey: production.projectKey, env: 'production', limit: 30 })
  const counts = flags.map(({ key }) => engine.sdk.evaluations({ ...production, flagKey: key }))
  if ((await Promise.all(counts)).some((hoursOfFlag) => hoursOfFlag.length > 1)) return
  const { apiKey } = await api.getEnvironment(production)
  const now = Date.now()
  const events = Array.from({ length: hours }, (_, index) => {
    const endDate = now - (index + 1) * hourMs
    const features = Object.fromEntries(
      flags.map(({ key, environments }, rank) => {
        const variation = environments?.production?.on ? 0 : 1
        return [key, { counters: [{ variation, version: 1, count: countAt(endDate, rank) }] }]
      }),
    )
    return { kind: 'summary', startDate: endDate - hourMs, endDate, features }
  })
  await engine.sdk.handle({
    method: 'POST',
    path: '/bulk',
    query: '',
    header: (name) => (name === 'authorization' ? apiKey : undefined),
    body: { kind: 'parsed', value: events },
  })
  await engine.sdk.flush()
}

/** Returns a number of evaluations that is highest at noon and lowest at midnight, and differs between flags. */
function countAt(time: number, rank: number): number {
  const hourOfDay = new Date(time).getHours()
  return Math.round((evaluationsPerHour / (rank + 1)) * (1.2 - Math.cos((hourOfDay / 12) * Math.PI)))
}
