import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, expect, it } from 'vitest'
import { createEngine, type Engine } from '../index.ts'

let engine: Engine
let as: string

beforeEach(async () => {
  engine = createEngine({ storage: createMemoryStorage() })
  as = (await engine.bootstrap())?.token as string
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, { as })
})

const projectKey = 'web'
const list = ['a'] as never
const event = {
  projectKey,
  environmentKey: 'test',
  applicationKey: 'shop',
  version: '1',
  eventType: 'started',
} as const
const phase = { name: 'One', audiences: [{ environmentKey: 'test', name: 'Test' }], configuration: list }
const place = { projectKey, environmentKey: 'test' }

it.each<[string, string, (api: Engine['api']) => Promise<unknown>]>([
  [
    'custom properties of a flag',
    'customProperties',
    (api) => api.createFlag({ projectKey, body: { key: 'g', name: 'G', customProperties: list } }, { as }),
  ],
  [
    'custom properties in a patch of a flag',
    'customProperties',
    (api) =>
      api.patchFlag(
        { projectKey, featureFlagKey: 'f', body: [{ op: 'replace', path: '/customProperties', value: list }] as never },
        { as },
      ),
  ],
  [
    'weights of an instruction',
    'instructions.0.rolloutWeights',
    (api) => {
      const instructions = [{ kind: 'updateFallthroughVariationOrRollout', rolloutWeights: list }]
      const body = { environmentKey: 'test', instructions } as never
      return api.patchFlag({ projectKey, featureFlagKey: 'f', body }, { as })
    },
  ],
  [
    'role attributes of a member',
    '0.roleAttributes',
    (api) => api.createMembers({ body: [{ email: 'a@example.com', roleAttributes: list }] }, { as }),
  ],
  [
    'the configuration of an approval service',
    'serviceConfig',
    (api) => {
      const body = { environmentKey: 'test', serviceConfig: list }
      return api.patchApprovalRequestSettings({ projectKey, body }, { as })
    },
  ],
  [
    'metadata of a deployment event',
    'eventMetadata',
    (api) => api.createDeploymentEvent({ body: { ...event, eventMetadata: list } }, { as }),
  ],
  [
    'metadata of a deployment',
    'deploymentMetadata',
    (api) => api.createDeploymentEvent({ body: { ...event, deploymentMetadata: list } }, { as }),
  ],
  [
    'the configuration of a phase',
    'phases.0.configuration',
    (api) => api.createReleasePipeline({ projectKey, body: { key: 'p', name: 'P', phases: [phase] } }, { as }),
  ],
  [
    'the configuration of a destination',
    'config',
    (api) =>
      api.createDestination({ ...place, body: { name: 'D', kind: 'google-pubsub', config: list } as never }, { as }),
  ],
])('%s cannot be a list', async (_, attribute, call) => {
  await expect(call(engine.api)).rejects.toMatchObject({
    status: 400,
    errors: expect.arrayContaining([{ attribute, reason: 'must be an object' }]),
  })
})
