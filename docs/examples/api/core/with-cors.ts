import { withCors } from '@halyard/core'
import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
const handle = withCors(engine.handle, { origins: ['https://admin.example.com'] })
const { headers } = await handle({
  method: 'GET',
  path: '/api/v2/projects',
  query: '',
  body: { kind: 'parsed', value: undefined },
  header: (name) => (name === 'origin' ? 'https://admin.example.com' : undefined),
})
console.log(headers['access-control-allow-origin']) // https://admin.example.com
