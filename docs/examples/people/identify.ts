import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap()

/** Represents the session store of the application. */
const sessions = new Map([['abc', { email: 'bea@example.com', isAdmin: false }]])

// #region session
const handler = createFetchHandler(engine, {
  identify(request) {
    const sessionId = /(?:^|; )session=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    const user = sessions.get(sessionId ?? '')
    return user && { member: user.email, role: user.isAdmin ? 'admin' : 'reader' }
  },
})
// #endregion

// #region member
await engine.api.createMembers({ body: [{ email: 'bea@example.com' }] }, { as: { role: 'owner' } })
// #endregion

// #region calls
const url = 'https://flags.example.com/api/v2/projects'
const read = await handler(new Request(url, { headers: { cookie: 'session=abc' } }))
const body = JSON.stringify({ key: 'web', name: 'Web shop' })
const forged = await handler(new Request(url, { method: 'POST', body, headers: { cookie: 'session=abc' } }))
console.log(read.status, forged.status)
// #endregion
