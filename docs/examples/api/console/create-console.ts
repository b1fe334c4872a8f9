import { createConsole } from '@halyard/console'
import { createTestEngine } from '@halyard/testing'

const identify = () => ({ service: 'ann', role: 'reader' }) as const
const flags = createConsole(await createTestEngine(), { basePath: '/flags', identify })
// Deno.serve(flags.fetch), or in Express: app.use(flags.express)
const response = await flags.fetch(new Request('https://shop.example.com/flags/'))
console.log(response.status, response.headers.get('content-type')) // 200 text/html; charset=utf-8
