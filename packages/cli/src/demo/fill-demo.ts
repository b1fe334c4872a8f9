import type { ApiError, BoundApi, Engine } from '@halyard/core'
import type { Terminal } from '../command.ts'
import { writeCodeReferences } from '../import/import-code-references.ts'
import { leadTimeImporter } from '../import/lead-time-importer.ts'
import { showProgress } from '../progress.ts'
import { demoChangeCount, demoChanges, demoCodeReferences } from './demo-data.ts'
import { fillEvaluations } from './fill-evaluations.ts'
import { fillWork } from './fill-work.ts'
import { ignoreExisting } from './ignore-existing.ts'

const projectKey = 'demo'

/**
 * Fills the project `demo` with two environments, flags, segments, and the real data in this package. Does nothing when
 * the project is complete. After an interrupted run, the next run creates only the missing parts.
 */
export async function fillDemo(engine: Engine, terminal: Terminal): Promise<void> {
  const api = engine.as({ role: 'owner' })
  // The code references are written last, so when they exist, everything exists.
  const isFilled = await exists(api.getBranch({ repo: demoCodeReferences.repository, branch: 'main' }))
  if (isFilled) return
  await ignoreExisting(api.createProject({ body: { key: projectKey, name: 'Demo', tags: ['demo'] } }))
  // A second person, who can approve requests of the first person.
  const colleague = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', role: 'admin' } as const
  await ignoreExisting(api.createMembers({ body: [colleague] }))
  for (const key of ['test', 'production']) await fillSegments(api, key)
  await fillFlags(api)
  await fillWork(engine, api)
  await fillEvaluations(engine, api)
  await fillInsights(api, terminal)
  await writeCodeReferences(demoCodeReferences, target(api))
}

function target(api: BoundApi) {
  return { api, projectKey, environmentKey: 'production', close: async () => {} }
}

async function fillSegments(api: BoundApi, environmentKey: string): Promise<void> {
  const environment = { projectKey, environmentKey }
  await ignoreExisting(
    api.createSegment({ ...environment, body: { key: 'staff', name: 'Staff', description: 'People who work here' } }),
  )
  await ignoreExisting(
    api.createSegment({
      ...environment,
      body: { key: 'nordic-customers', name: 'Nordic customers', tags: ['region'] },
    }),
  )
  await setRule(api, { ...environment, segmentKey: 'staff' }, [endsWith('email', '@example.com')])
  await setRule(api, { ...environment, segmentKey: 'nordic-customers' }, [
    isOneOf('country', ['DK', 'FI', 'IS', 'NO', 'SE']),
  ])
}

type SegmentKeys = { projectKey: string; environmentKey: string; segmentKey: string }
type Clause = ReturnType<typeof endsWith> | ReturnType<typeof isOneOf>

async function setRule(api: BoundApi, segment: SegmentKeys, clauses: readonly Clause[]): Promise<void> {
  await api.patchSegment({ ...segment, body: [{ op: 'replace', path: '/rules', value: [{ clauses }] }] })
}

function endsWith(attribute: string, ending: string) {
  return { attribute, op: 'endsWith', values: [ending], negate: false, contextKind: 'user' } as const
}

function isOneOf(attribute: string, values: readonly string[]) {
  return { attribute, op: 'in', values, negate: false, contextKind: 'user' } as const
}

async function fillFlags(api: BoundApi): Promise<void> {
  for (const { flagKey } of demoCodeReferences.references) {
    await ignoreExisting(api.createFlag({ projectKey, body: { key: flagKey, name: flagKey, tags: ['unleash'] } }))
  }
  await ignoreExisting(
    api.createFlag({
      projectKey,
      body: {
        key: 'search-backend',
        name: 'Search backend',
        description: 'Which engine answers a search',
        tags: ['demo'],
        variations: [
          { value: 'database', name: 'Database' },
          { value: 'index', name: 'Index' },
        ],
        defaults: { onVariation: 1, offVariation: 0 },
      },
    }),
  )
  const staff = { attribute: '', op: 'segmentMatch', values: ['staff'], negate: false }
  await api.patchFlag({
    projectKey,
    flagKey: 'search-backend',
    body: [
      { op: 'replace', path: '/environments/test/on', value: true },
      { op: 'replace', path: '/environments/production/on', value: true },
      { op: 'replace', path: '/environments/production/rules', value: [{ clauses: [staff], variation: 1 }] },
      { op: 'replace', path: '/environments/production/fallthrough', value: { variation: 0 } },
    ],
  })
}

async function fillInsights(api: BoundApi, terminal: Terminal): Promise<void> {
  const importer = leadTimeImporter(target(api))
  const progress = showProgress(terminal.stderr, 'demo data', demoChangeCount)
  let done = 0
  try {
    for (const sample of demoChanges(Date.now())) {
      terminal.signal.throwIfAborted()
      await importer.add(sample)
      progress.update(++done)
    }
    await importer.finish()
  } finally {
    progress.end()
  }
}

async function exists(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if ((error as ApiError).code === 'not_found') return false
    throw error
  }
}
