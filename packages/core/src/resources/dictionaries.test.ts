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
const arrayValue = ['a'] as never
const event = {
  projectKey,
  environmentKey: 'test',
  applicationKey: 'shop',
  version: '1',
  eventType: 'started',
} as const
const phase = { name: 'One', audiences: [{ environmentKey: 'test', name: 'Test' }], configuration: arrayValue }
const environmentKeys = { projectKey, environmentKey: 'test' }

it.each<[string, string, (api: Engine['api']) => Promise<unknown>]>([
  [
    'custom properties of a flag',
    'customProperties',
    (api) => api.createFlag({ projectKey, body: { key: 'g', name: 'G', customProperties: arrayValue } }, { as }),
  ],
  [
    'custom properties in a patch of a flag',
    'customProperties',
    (api) =>
      api.patchFlag(
        {
          projectKey,
          flagKey: 'f',
          body: [{ op: 'replace', path: '/customProperties', value: arrayValue }] as never,
        },
        { as },
      ),
  ],
  [
    'weights of an instruction',
    'instructions.0.rolloutWeights',
    (api) => {
      const instructions = [{ kind: 'updateFallthroughVariationOrRollout', rolloutWeights: arrayValue }]
      const body = { environmentKey: 'test', instructions } as never
      return api.patchFlag({ projectKey, flagKey: 'f', body }, { as })
    },
  ],
  [
    'role attributes of a member',
    '0.roleAttributes',
    (api) => api.createMembers({ body: [{ email: 'a@example.com', roleAttributes: arrayValue }] }, { as }),
  ],
  [
    'the configuration of an approval service',
    'serviceConfig',
    (api) => {
      const body = { environmentKey: 'test', serviceConfig: arrayValue }
      return api.patchApprovalRequestSettings({ projectKey, body }, { as })
    },
  ],
  [
    'metadata of a deployment event',
    'eventMetadata',
    (api) => api.createDeploymentEvent({ body: { ...event, eventMetadata: arrayValue } }, { as }),
  ],
  [
    'metadata of a deployment',
    'deploymentMetadata',
    (api) => api.createDeploymentEvent({ body: { ...event, deploymentMetadata: arrayValue } }, { as }),
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
      api.createDestination(
        { ...environmentKeys, body: { name: 'D', kind: 'google-pubsub', config: arrayValue } as never },
        { as },
      ),
  ],
])('%s cannot be a list', async (_, attribute, call) => {
  await expect(call(engine.api)).rejects.toMatchObject({
    status: 400,
    errors: expect.arrayContaining([{ attribute, reason: 'must be an object' }]),
  })
})
