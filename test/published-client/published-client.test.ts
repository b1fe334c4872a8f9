import { recordExamples } from '@halyard/conformance'
import { createEngine } from '@halyard/core'
import { referenceProfile } from '@halyard/core/operations'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { routeOf } from './published-client.ts'
import { publishedClientHarness } from './published-client-harness.ts'
import { publishedResponses } from './response-differences.ts'

/** Functions of the client that send a file, or lack the parameter for the body that their operation requires. */
const withoutBody = ['createBigSegmentImport', 'patchApprovalRequest', 'patchFlagConfigApprovalRequest']

const { operations } = createEngine({ storage: createMemoryStorage() })

it('all responses to the published TypeScript client have its types', async () => {
  const harness = publishedClientHarness()
  const examples = await recordExamples(harness, { wire: 'reference' })
  const served = operations.flatMap(({ id, method, path }) => {
    const ofClient = publishedResponses.operations.find(({ route }) => route === routeOf(method, path))
    return ofClient ? [{ id, ofClient, differences: publishedResponses.differencesOf(method, path) }] : []
  })
  const differences = served.flatMap(({ id, differences: differencesOf }) =>
    (differencesOf?.(examples[id]?.response) ?? []).map((error) => `${id}: ${error}`),
  )
  expect(differences).toEqual([])
  const uncalled = served.filter(({ ofClient }) => !harness.called.has(ofClient.id)).map(({ ofClient }) => ofClient.id)
  expect(uncalled).toEqual(withoutBody)
  expect(served.length).toBeGreaterThan(160)
}, 240_000)

it('each difference of the profile applies to a served operation', () => {
  const served = new Set<string>(operations.map(({ id }) => id))
  const { bodies, queries } = referenceProfile
  expect([...Object.keys(bodies), ...Object.keys(queries)].filter((id) => !served.has(id))).toEqual([])
})
