import type { Engine } from '@halyard/core'
import { administrator, type GuardedProject, testSegments } from './guarded-project.ts'

/** Properties that differ between two calls with the same effect: ids of what they create, times and counts. */
const incidental: ReadonlySet<string> = new Set([
  '_id',
  '_links',
  '_version',
  'version',
  '_versionId',
  'lastModified',
  '_lastModified',
  'lastModifiedDate',
  'updatedAt',
  'archivedDate',
  'deprecatedDate',
  '_archivedAt',
  '_publishedAt',
  'createdAt',
])

/** Returns everything that readers see of the flags, segments and AI configs of a project, without incidental parts. */
export async function resourceState(engine: Engine, { projectKey, flagKeys, segmentKeys }: GuardedProject) {
  const call = administrator(engine)
  const config = { projectKey, configKey: 'chat' }
  const state = {
    flags: await Promise.all(flagKeys.map((flagKey) => call('getFlag', { projectKey, flagKey }))),
    segments: await Promise.all(
      segmentKeys.map((segmentKey) => {
        const environmentKey = testSegments.includes(segmentKey) ? 'test' : 'production'
        return call('getSegment', { projectKey, environmentKey, segmentKey })
      }),
    ),
    config: await call('getAIConfig', config),
    targeting: await call('getAIConfigTargeting', config),
  }
  return JSON.parse(JSON.stringify(state, (name, value) => (incidental.has(name) ? undefined : value))) as object
}
