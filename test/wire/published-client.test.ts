import { recordExamples } from '@halyard/conformance'
import { createEngine } from '@halyard/core'
import { referenceProfile } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { readPublishedClient, routeOf } from './published-client.ts'
import { publishedClientHarness } from './published-client-harness.ts'

const client = readPublishedClient()
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema({ $id: 'client', definitions: client.definitions })
/** Functions of the client that send a file, or lack the parameter for the body that their operation requires. */
const withoutBody = ['createBigSegmentImport', 'patchApprovalRequest', 'patchFlagConfigApprovalRequest']

const { operations } = createEngine({ storage: createMemoryStorage() })

it('all responses to the published TypeScript client have its types', async () => {
  const harness = publishedClientHarness()
  const examples = await recordExamples(harness, { wire: 'reference' })
  const served = operations.flatMap((operation) => {
    const ofClient = client.operations.find(({ route }) => route === routeOf(operation.method, operation.path))
    return ofClient ? [{ operation, ofClient }] : []
  })
  const differences = served.flatMap(({ operation, ofClient }) =>
    differencesOf(ofClient.response, examples[operation.id]?.response).map((error) => `${operation.id}: ${error}`),
  )
  expect(differences).toEqual([])
  const uncalled = served.filter(({ ofClient }) => !harness.called.has(ofClient.id)).map(({ ofClient }) => ofClient.id)
  expect(uncalled).toEqual(withoutBody)
  expect(served.length).toBeGreaterThan(160)
}, 120_000)

it('each difference of the profile applies to a served operation', () => {
  const served = new Set<string>(operations.map(({ id }) => id))
  const { bodies, queries } = referenceProfile
  expect([...Object.keys(bodies), ...Object.keys(queries)].filter((id) => !served.has(id))).toEqual([])
})

function differencesOf(schema: object | undefined, response: unknown): string[] {
  if (!schema) return []
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/definitions', 'client#/definitions')))
  validate(response)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
