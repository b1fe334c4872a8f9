import { ApiError, createClient } from '@halyard/client'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = await createTestEngine()
const baseUrl = 'https://flags.example.com'
const client = createClient({ baseUrl, token: engine.admin, fetch: createFetchHandler(engine) })
try {
  await client.api.getProject({ projectKey: 'unknown' })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.status, error.code) // 404 not_found
}
