import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
import Fastify from 'fastify'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap({ token: process.env.HALYARD_TOKEN })

// #region mount
const app = Fastify()
const features = createExpressHandler(engine, { basePath: '/features' })
await app.register(async (scope) => {
  // The handler reads bodies itself, with its own limit.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/features/*', (request, reply) => {
    reply.hijack()
    features(request.raw, reply.raw)
  })
})

const flags = engine.evaluator({ projectKey: 'shop', environmentKey: 'production' })
app.get('/', () => {
  const { value } = flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false)
  return value ? 'the new shop' : 'the shop'
})

console.log(await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' }))
// #endregion
