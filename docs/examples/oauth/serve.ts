import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()

/** Represents the session store of the application. */
const sessions = new Map([['abc', { email: 'bea@example.com' }]])

// #region serve
import { oauthServer } from '@halyard/oauth-server'
import { createFetchHandler } from '@halyard/transport-fetch'

const oauth = oauthServer(engine, {
  issuer: 'https://flags.example.com',
  signIn: (returnTo) => `https://example.com/sign-in?next=${encodeURIComponent(returnTo)}`,
})
const handler = createFetchHandler(engine, {
  oauth,
  identify(request) {
    const sessionId = /(?:^|; )session=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    const user = sessions.get(sessionId ?? '')
    return user && { member: user.email }
  },
})
export default { fetch: handler }
// #endregion
