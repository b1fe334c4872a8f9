import { createTestEngine, type TestEngine } from '@halyard/testing'
import type { As } from '../../../index.ts'

/** The environment of the destinations. */
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

/** A destination without secrets. */
export const pubsub = { name: 'Stream', kind: 'google-pubsub', config: { project: 'shop', topic: 'events' } } as const

/** A destination with a secret. */
export const segment = { name: 'CDP', kind: 'segment', config: { writeKey: 'write-key-1' } } as const

/** Media type of a JSON Patch. */
export const json = 'application/json'

/** A valid role ARN. */
export const roleArn = 'arn:aws:iam::123456789012:role/export'

/** A valid configuration of each kind. */
export const configs = {
  'google-pubsub': pubsub.config,
  kinesis: { region: 'eu-central-1', roleArn, streamName: 'flags' },
  mparticle: { apiKey: 'k', secret: 's', userIdentity: 'customer_id', anonymousUserIdentity: 'other' },
  segment: { writeKey: 'k', userIdContextKind: 'user', anonymousIdContextKind: 'device' },
  'azure-event-hubs': { namespace: 'shop', name: 'flags', policyName: 'send', policyKey: 'k' },
  'snowflake-v2': { publicKey: '-----BEGIN PUBLIC KEY-----\nabc', snowflakeHostAddress: 'shop.snowflake.example' },
  databricks: {
    workspaceUrl: 'https://shop.databricks.example',
    httpPath: '/sql/1.0/warehouses/1',
    catalog: 'main',
    schema: 'flags',
    accessToken: 'k',
  },
  bigquery: { project: 'shop', dataset: 'flags', serviceAccountKey: '{ "type": "service_account" }' },
  redshift: {
    clusterIdentifier: 'shop',
    clusterRegion: 'us-east-1',
    clusterAwsAccountId: '123456789012',
    databaseName: 'shop',
    schemaName: 'flags',
    userName: 'export',
    roleArn,
  },
  s3: { region: 'eu-central-1', roleArn, bucket: 'shop-flags', prefix: 'halyard' },
  'http-ndjson': { url: 'https://collector.example/events', secret: 's', authorization: 'Bearer t' },
  file: { name: 'events.ndjson' },
} as const

/** Secret properties of each configuration. */
export const secretsOf: Readonly<Record<string, readonly string[]>> = {
  mparticle: ['apiKey', 'secret'],
  segment: ['writeKey'],
  'azure-event-hubs': ['policyKey'],
  databricks: ['accessToken'],
  bigquery: ['serviceAccountKey'],
  'http-ndjson': ['secret', 'authorization'],
}

/** Properties of each configuration that may be absent. */
export const optionalOf: Readonly<Record<string, readonly string[]>> = {
  segment: ['userIdContextKind', 'anonymousIdContextKind'],
  s3: ['prefix'],
  'http-ndjson': ['secret', 'authorization'],
}

/** Makes an engine with the project `web`. */
export async function webEngine(input: Parameters<typeof createTestEngine>[0] = {}): Promise<TestEngine> {
  const engine = await createTestEngine(input)
  await engine.given.project('web')
  return engine
}

/** Creates a destination. */
export const create = (engine: TestEngine, body: object, as: As = engine.admin, otherKeys: object = environmentKeys) =>
  engine.api.createDestination({ ...environmentKeys, ...otherKeys, body: body as typeof pubsub }, { as })

/** Updates a destination. */
export const patch = (engine: TestEngine, id: string, operations: readonly object[], as: As = engine.admin) =>
  engine.api.patchDestination({ ...environmentKeys, id, body: operations as never }, { as })

/** Reads a destination. */
export const get = (engine: TestEngine, id: string, as: As = engine.admin) =>
  engine.api.getDestination({ ...environmentKeys, id }, { as })

/** A JSON Patch that replaces one property. */
export const replaceOperation = (path: string, value: unknown) => [{ op: 'replace', path, value }]

/** Returns a caller who may view the projects and perform these actions on the destinations in production. */
export const callerWith = (...actions: string[]): As => ({
  policy: [
    { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
    { effect: 'allow', resources: ['proj/web:env/production:destination/*'], actions },
  ],
})
