import { isDeepStrictEqual } from 'node:util'
import { createFetchHandler } from '@halyard/transport-fetch'
import { Hono } from 'hono'
import { compare, type Suite } from '../compare.ts'
import { createSegmentFixture } from '../segment-fixture.ts'

/** Measures a request through the fetch handler, compared with a bare Hono app that returns the same JSON. */
export const fetchHandler: Suite = {
  name: 'fetch',
  about:
    'GET of one segment (about 4 KB) through the fetch handler, body read as text. The peer is a Hono app with one route that returns the same JSON from a constant: no token, no policy, no storage.',
  async run() {
    const { engine, token, keys } = await createSegmentFixture()
    const handler = createFetchHandler(engine)
    const segment = await engine.api.getSegment(keys, { as: token })
    const path = '/api/v2/segments/:projectKey/:environmentKey/:segmentKey'
    const app = new Hono().get(path, (context) => context.json(segment))
    const url = 'http://localhost/api/v2/segments/web/production/beta-users'
    const request = () => new Request(url, { headers: { authorization: token } })
    const peer = { name: 'bare Hono', run: async () => (await app.fetch(request())).text() }
    if (!isDeepStrictEqual(await (await handler(request())).json(), JSON.parse(JSON.stringify(segment))))
      throw new Error('the response of the handler differs from the expected one')
    const ours = async () => (await handler(request())).text()
    return [await compare({ suite: 'fetch', case: 'getSegment', peer, ours })]
  },
}
