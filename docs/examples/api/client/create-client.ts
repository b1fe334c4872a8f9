import { createClient } from '@halyard/client'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = await createTestEngine()
const client = createClient({
  baseUrl: 'https://flags.example.com',
  token: engine.admin,
  fetch: createFetchHandler(engine), // default: the fetch of the platform
})
const project = await client.api.createProject({ body: { key: 'web', name: 'Web shop' } })
console.log(project.name) // Web shop
