import { describe, expect, it } from 'vitest'
import { account, accountForEachTest, allow, deny, expectRefusal, patchOf, view } from './setup/attacked-account.ts'

accountForEachTest()

describe('a secret', () => {
  const path = '/api/v2/projects/web/environments/production'

  async function secrets() {
    const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
    return account.api.getEnvironment(environmentKeys, account.by)
  }

  const noKeys = [view, allow(['*'], 'proj/*', 'proj/*:env/*'), deny(['viewSdkKey'], 'proj/*:env/*')]

  it.each([
    ['read', 'GET', path, undefined],
    ['listed', 'GET', '/api/v2/projects/web/environments', undefined],
    ['expanded', 'GET', '/api/v2/projects/web?expand=environments', undefined],
    ['listed among the SDK keys', 'GET', `${path}/sdk-keys`, undefined],
    ['read as the default SDK key', 'GET', `${path}/sdk-keys/default`, undefined],
    ['returned by a patch', 'PATCH', path, patchOf('replace', '/name', 'Other')],
    ['after the SDK key was reset', 'POST', `${path}/apiKey`, undefined],
    ['after the mobile key was reset', 'POST', `${path}/mobileKey`, undefined],
  ])('is not revealed without the right to it: %s', async (_, method, requestPath, body) => {
    const as = await account.tokenWith(...noKeys)
    const response = await account.send(method, requestPath, { as, body })
    expect(response.status).toBe(200)
    const { apiKey, mobileKey } = await secrets()
    expect(response.text).not.toContain(apiKey)
    expect(response.text).not.toContain(mobileKey)
  })

  it.each(['/apiKey', '/mobileKey', '/id', '/createdAt'])(
    'is not copied by a patch from %s to a visible field',
    async (from) => {
      const as = await account.tokenWith(...noKeys)
      for (const op of ['copy', 'move']) {
        const response = await account.send('PATCH', path, { as, body: [{ op, from, path: '/name' }] })
        expect(response.status).toBe(400)
      }
      await account.expectNothingChanged()
    },
  )

  it('cannot be guessed: a patch `test` with the correct value and one with an incorrect value get equal responses', async () => {
    const as = await account.tokenWith(...noKeys)
    const { apiKey } = await secrets()
    const guess = (value: string) => account.send('PATCH', path, { as, body: patchOf('test', '/apiKey', value) })
    const [rightGuess, wrongGuess] = [await guess(apiKey), await guess('sdk-0')]
    expect(rightGuess.status).toBeGreaterThanOrEqual(400)
    expect(rightGuess).toEqual(wrongGuess)
  })

  it.each(['/hash', '/ceiling', '/grant', '/memberId'])(
    'of a token cannot be copied or tested by a patch at %s',
    async (from) => {
      const { _id } = await account.tokenOf(view)
      await account.remember()
      const patch = (body: unknown) => account.send('PATCH', `/api/v2/tokens/${_id}`, { body })
      expect((await patch([{ op: 'copy', from, path: '/description' }])).status).toBe(400)
      const [first, second] = [await patch(patchOf('test', from, [])), await patch(patchOf('test', from, 'x'))]
      expect(first.status).toBeGreaterThanOrEqual(400)
      expect(first).toEqual(second)
      await account.expectNothingChanged()
    },
  )

  it('is not found by a search or by sorting', async () => {
    const as = await account.tokenWith(...noKeys)
    const { apiKey, _id } = await secrets()
    for (const query of [apiKey, apiKey.slice(0, 8), 'sdk-', _id]) {
      const response = await account.send('GET', `/api/v2/projects/web/environments?query=${query}`, { as })
      expect(response.body).toMatchObject({ items: [], totalCount: 0 })
    }
    for (const sort of ['apiKey', '-apiKey', 'mobileKey', '__proto__']) {
      expect((await account.send('GET', `/api/v2/projects/web/environments?sort=${sort}`, { as })).status).toBe(400)
    }
  })

  it.each(['salt:a', 'sel:a', 'revision:1', 'constructor:x', '__proto__:x'])(
    'is not found by the filter %j',
    async (filter) => {
      const as = await account.tokenWith(view)
      expect((await account.send('GET', `/api/v2/flags/web?filter=${filter}`, { as })).status).toBe(400)
    },
  )
})

describe('resources that the caller may change but not view', () => {
  it.each([
    ['/api/v2/projects/web', 'proj/web'],
    ['/api/v2/projects/web/environments/production', 'proj/web:env/production'],
    ['/api/v2/segments/web/production/beta', 'proj/web:env/production:segment/beta'],
    ['/api/v2/flags/web/checkout', 'proj/web:env/*:flag/checkout'],
  ])('a patch of %s without changes gets 403', async (path, resource) => {
    const as = await account.tokenWith(allow(['update*'], resource))
    expectRefusal(await account.send('PATCH', path, { as, body: [] }), 403)
    const test = [{ op: 'test', path: '/name', value: 'x' }]
    expectRefusal(await account.send('PATCH', path, { as, body: test }), 403)
  })
})
