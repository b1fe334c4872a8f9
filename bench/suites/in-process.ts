import { compare, type Suite } from '../compare.ts'
import { createSegmentFixture } from '../segment-fixture.ts'

/**
 * Measures one call in process: authentication, policy, storage and serialization, compared with returning the finished
 * response.
 */
export const inProcess: Suite = {
  name: 'in-process',
  about:
    'api.getSegment on memory. The floor is an async function that looks up a finished response in a Map: no caller, no policy, no response to build.',
  async run() {
    const { engine, token, keys } = await createSegmentFixture()
    const response = await engine.api.getSegment(keys, { as: token })
    const responses = new Map([['web:production:beta-users', response]])
    const floor = async (segmentKeys: typeof keys) =>
      responses.get(`${segmentKeys.projectKey}:${segmentKeys.environmentKey}:${segmentKeys.segmentKey}`)
    const peer = { name: 'floor: async Map lookup', run: () => floor(keys) }
    const policy = {
      policy: [
        { effect: 'allow', actions: ['view*'], resources: ['proj/*'] },
        { effect: 'allow', actions: ['*'], resources: ['proj/web:env/*:segment/*'] },
        { effect: 'deny', actions: ['delete*'], resources: ['proj/*:env/prod*:flag/*'] },
      ],
    } as const
    const limited = await engine.api.createToken({ body: { inlineRole: [...policy.policy] } }, { as: token })
    const suite = 'in-process'
    return [
      await compare({
        suite,
        case: 'getSegment as a token',
        peer,
        ours: () => engine.api.getSegment(keys, { as: token }),
      }),
      await compare({
        suite,
        case: 'getSegment as a token with an inline policy',
        peer,
        ours: () => engine.api.getSegment(keys, { as: limited.token }),
      }),
      await compare({
        suite,
        case: 'getSegment as a role',
        peer,
        ours: () => engine.api.getSegment(keys, { as: { role: 'reader' } }),
      }),
    ]
  },
}
