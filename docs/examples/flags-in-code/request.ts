import { createTestEngine } from '@halyard/testing'
import { flags } from './flags.ts'

const engine = await createTestEngine()
await engine.given.project('shop')
const evaluator = engine.evaluator({ projectKey: 'shop', environmentKey: 'production' })
await evaluator.ready()
const isTester = (request: Request) => request.headers.has('x-tester')
process.env.FORCED_FLAGS_SECRET = 'a secret of 32 characters or more'

// #region request
import { bindFlags, forcedFlagsCookie, forceFlags, readForcedFlags } from '@halyard/core/flags'

const secret = process.env.FORCED_FLAGS_SECRET

/** Serves the shop, and lets testers force flags in their browser for an hour: `/force?checkout=1`. */
async function shop(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/force' && isTester(request)) {
    const cookie = await forcedFlagsCookie({ checkout: searchParams.get('checkout') === '1' }, { secret })
    return new Response('forced', { headers: { 'set-cookie': cookie } })
  }
  const forced = await readForcedFlags(request.headers.get('cookie'), { secret })
  const { checkout } = bindFlags(flags, forceFlags(forced, evaluator))
  return new Response(checkout({ kind: 'user', key: 'ann' }) ? 'new checkout' : 'old checkout')
}
// #endregion

const url = 'https://shop.example.test'
const refused = await shop(new Request(`${url}/force?checkout=1`))
const forcing = await shop(new Request(`${url}/force?checkout=1`, { headers: { 'x-tester': '1' } }))
const [cookie = ''] = (forcing.headers.get('set-cookie') ?? '').split(';')
const forged = cookie.replace('.', 'x.')
for (const sent of ['', cookie, forged]) {
  console.log(await (await shop(new Request(url, { headers: { cookie: sent } }))).text())
}
console.log(refused.headers.has('set-cookie'))
await engine.close()
