import { createClient, NetworkError } from '@halyard/client'

const fetch = () => Promise.reject(new TypeError('fetch failed'))
const client = createClient({ baseUrl: 'https://flags.example.com', token: 'token', fetch, retries: 0 })
try {
  await client.api.listProjects()
} catch (error) {
  console.log(error instanceof NetworkError) // true
}
