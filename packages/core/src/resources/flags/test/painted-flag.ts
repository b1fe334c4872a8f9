import { clause, flagProject } from './flag-project.ts'

/** Returns a clause as it is stored with an id. */
export const stored = (_id: string, overrides: object = {}) => ({ ...clause(overrides), _id })

/** The first rule of the flag. */
export const r1 = {
  _id: 'r1',
  clauses: [stored('c1', { values: ['a', 'b'] }), stored('c2')],
  variation: 0,
  trackEvents: false,
}

/** The second rule of the flag. */
export const r2 = { _id: 'r2', clauses: [stored('c3')], variation: 1, trackEvents: false }

/** Returns targets of a variation that are users. */
export const user = (variation: number, ...values: string[]) => ({ values, variation, contextKind: 'user' })

/** Returns targets of a variation that are organizations. */
export const org = (variation: number, ...values: string[]) => ({ values, variation, contextKind: 'org' })

/** Creates a flag with all kinds of targeting in production, the flags `base` and `other`, a metric and a metric group. */
export async function paintedFlag() {
  const project = await flagProject()
  const { api, as } = project
  const metric = { key: 'errors', name: 'Errors', kind: 'custom', eventKey: 'error', isNumeric: false } as const
  await api.postMetric({ projectKey: 'web', body: { ...metric, successCriteria: 'LowerThanBaseline' } }, { as })
  const group = { key: 'core', name: 'Core', kind: 'standard', metrics: [{ key: 'errors' }] } as never
  await api.createMetricGroup({ projectKey: 'web', body: group }, { as })
  const values = ['red', 'green', 'blue', 'black'].map((value) => ({ value, name: value }))
  const customProperties = { jira: { name: 'Jira', value: ['1', '2'] } }
  const created = await project.create('f', { variations: values, tags: ['x', 'y'], customProperties })
  const base = (await project.create('base')).variations
  const other = (await project.create('other')).variations
  const config = {
    targets: [user(0, 'ann', 'bob'), user(1, 'cy')],
    contextTargets: [org(0, 'acme')],
    rules: [r1, r2],
    prerequisites: [{ key: 'base', variation: 0 }],
    fallthrough: { variation: 2 },
    offVariation: 1,
  }
  await project.patch(
    'f',
    Object.entries(config).map(([property, value]) => ({
      op: 'replace',
      path: `/environments/production/${property}`,
      value,
    })),
  )
  const idsOf = (list: typeof base) => list.map(({ _id }) => _id)
  const [red, green, blue, black] = idsOf(created.variations) as [string, string, string, string]
  return { ...project, red, green, blue, black, base: idsOf(base), other: idsOf(other) }
}

export type PaintedFlag = Awaited<ReturnType<typeof paintedFlag>>

/** Returns the variations of the flag as they are in a response. */
export function variationsOf({ red, green, blue, black }: PaintedFlag) {
  return [
    { _id: red, value: 'red', name: 'red' },
    { _id: green, value: 'green', name: 'green' },
    { _id: blue, value: 'blue', name: 'blue' },
    { _id: black, value: 'black', name: 'black' },
  ]
}
