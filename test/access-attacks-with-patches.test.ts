import { describe, expect, it } from 'vitest'
import {
  account,
  accountForEachTest,
  allow,
  deny,
  expectRefusal,
  patchOf,
  semanticPatchType,
  view,
} from './setup/attacked-account.ts'

accountForEachTest()

describe('when a caller tries to bring resources under its own policy,', () => {
  const policyForOwnTag = (kind: string) => [view, allow(['*'], `proj/*:env/*:${kind}/*;mine`)]

  it('the tags in the body of a creation do not grant the right to create', async () => {
    const body = { key: 'new', name: 'New', tags: ['mine'] }
    const flag = await account.send('POST', '/api/v2/flags/web', {
      as: await account.tokenWith(...policyForOwnTag('flag')),
      body,
    })
    expectRefusal(flag, 403)
    const path = '/api/v2/segments/web/production'
    expectRefusal(
      await account.send('POST', path, { as: await account.tokenWith(...policyForOwnTag('segment')), body }),
      403,
    )
    const project = { as: await account.tokenWith(allow(['*'], 'proj/*;mine')), body }
    expectRefusal(await account.send('POST', '/api/v2/projects', project), 403)
    const environment = {
      as: await account.tokenWith(allow(['*'], 'proj/*:env/*;mine')),
      body: { ...body, color: '000000' },
    }
    expectRefusal(await account.send('POST', '/api/v2/projects/web/environments', environment), 403)
    await account.expectNothingChanged()
  })

  it('a tag that the patch adds does not grant the rest of the patch', async () => {
    const as = await account.tokenWith(view, allow(['updateTags'], 'proj/*:env/*:flag/*'), ...policyForOwnTag('flag'))
    const body = [...patchOf('add', '/tags/-', 'mine'), ...patchOf('replace', '/name', 'Taken')]
    expectRefusal(await account.send('PATCH', '/api/v2/flags/web/checkout', { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('a patch cannot remove the property that a deny statement depends on', async () => {
    const denyCritical = deny(['*'], 'proj/*:env/*;{critical:true}', 'proj/*:env/*;{critical:true}:segment/*')
    const as = await account.tokenWith(view, allow(['*'], 'proj/*:env/*', 'proj/*:env/*:segment/*'), denyCritical)
    const body = patchOf('replace', '/critical', false)
    expectRefusal(await account.send('PATCH', '/api/v2/projects/web/environments/production', { as, body }), 403)
    expectRefusal(await account.send('DELETE', '/api/v2/segments/web/production/beta', { as }), 403)
    await account.expectNothingChanged()
  })

  it.each(['a;b', 'a,b', '{critical:true}', 'view:x', '*', 'a:b', 'a b', 'a\0'])('the tag %j gets 400', async (tag) => {
    const body = { key: 'new', name: 'New', tags: [tag] }
    expect((await account.send('POST', '/api/v2/flags/web', { body })).status).toBe(400)
    await account.expectNothingChanged()
  })

  it.each([
    '*',
    'new*',
    'web:env/*',
    'new;mine',
    'new/..',
    'new%3Amine',
    '',
    '.',
    '..',
    '${roleAttribute/x}',
    'ne\u0000w',
  ])('the key %j gets 400', async (key) => {
    const body = { key, name: 'New' }
    expect((await account.send('POST', '/api/v2/projects', { body })).status).toBe(400)
    expect((await account.send('POST', '/api/v2/flags/web', { body })).status).toBe(400)
    await account.expectNothingChanged()
  })

  it('of a key that occurs twice in a body, the last value is authorized', async () => {
    const as = await account.tokenWith(allow(['createProject'], 'proj/mine'))
    const body = '{"key":"mine","name":"Mine","key":"theirs"}'
    expectRefusal(await account.send('POST', '/api/v2/projects', { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('a key in the body that differs from the path gets 400', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:segment/*'))
    const body = { key: 'new', name: 'New', projectKey: 'secret', environmentKey: 'production' }
    expect((await account.send('POST', '/api/v2/segments/web/test', { as, body })).status).toBe(400)
    await account.expectNothingChanged()
  })
})

describe('patches that exceed the rights of the caller', () => {
  const flag = '/api/v2/flags/web/checkout'
  const segment = '/api/v2/segments/web/production/beta'
  const turnedOnPath = (environmentKey: string) => `/environments/${environmentKey}/on`

  it('a patch with one forbidden operation gets 403, whatever the order', async () => {
    const as = await account.tokenWith(view, allow(['updateTags'], 'proj/*:env/*:flag/*', 'proj/*:env/*:segment/*'))
    const operations = [...patchOf('add', '/tags/-', 'x'), ...patchOf('replace', '/name', 'Taken')]
    for (const path of [flag, segment]) {
      expectRefusal(await account.send('PATCH', path, { as, body: operations }), 403)
      expectRefusal(await account.send('PATCH', path, { as, body: operations.toReversed() }), 403)
    }
    await account.expectNothingChanged()
  })

  it('a patch with a comment and one forbidden operation gets 403', async () => {
    const as = await account.tokenWith(view, allow(['updateTags'], 'proj/*:env/*:segment/*'))
    const patch = [...patchOf('add', '/tags/-', 'x'), ...patchOf('replace', '/rules', [{ clauses: [] }])]
    expectRefusal(await account.send('PATCH', segment, { as, body: { comment: 'tags', patch } }), 403)
    await account.expectNothingChanged()
  })

  it('one forbidden instruction among allowed ones gets 403', async () => {
    const as = await account.tokenWith(
      view,
      allow(['*'], 'proj/*:env/*:flag/*'),
      deny(['updateOn'], 'proj/*:env/*:flag/*'),
    )
    const headers = { 'content-type': semanticPatchType }
    const instructions = [
      { kind: 'updateName', value: 'A' },
      { kind: 'turnFlagOn' },
      { kind: 'updateName', value: 'B' },
    ]
    const body = { environmentKey: 'test', instructions }
    expectRefusal(await account.send('PATCH', flag, { as, headers, body }), 403)
    await account.expectNothingChanged()
  })

  it('a change in an environment that the policy does not name gets 403', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:flag/*'))
    const headers = { 'content-type': semanticPatchType }
    const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] }
    expectRefusal(await account.send('PATCH', flag, { as, headers, body: turnOn }), 403)
    expectRefusal(
      await account.send('PATCH', flag, { as, body: patchOf('replace', turnedOnPath('production'), true) }),
      403,
    )
    const operations = [
      ...patchOf('replace', turnedOnPath('test'), true),
      ...patchOf('replace', turnedOnPath('production'), true),
    ]
    expectRefusal(await account.send('PATCH', flag, { as, body: operations }), 403)
    await account.expectNothingChanged()
  })

  it('the environment of the path is authorized, not the environment in the body', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:segment/*'))
    const headers = { 'content-type': semanticPatchType }
    const instructions = [{ kind: 'updateName', value: 'Taken' }]
    const production = { as, headers, body: { environmentKey: 'test', instructions } }
    expectRefusal(await account.send('PATCH', segment, production), 403)
    const otherEnvironment = { as, headers, body: { environmentKey: 'production', instructions } }
    expect((await account.send('PATCH', '/api/v2/segments/web/test/beta', otherEnvironment)).status).toBe(400)
    await account.expectNothingChanged()
  })

  it('a change that affects all environments gets 403 when the caller has rights in only one', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:flag/*', 'proj/web:env/t*:flag/*'))
    const headers = { 'content-type': semanticPatchType }
    const instructions = [
      { kind: 'updateName', value: 'Taken' },
      { kind: 'archiveFlag' },
      { kind: 'updateDefaultVariation', offVariationValue: true },
      { kind: 'removeMaintainer' },
      { kind: 'deleteFlag' },
    ]
    for (const instruction of instructions) {
      const body = { environmentKey: 'test', instructions: [instruction] }
      expectRefusal(await account.send('PATCH', flag, { as, headers, body }), 403)
    }
    expectRefusal(await account.send('DELETE', flag, { as }), 403)
    await account.expectNothingChanged()
  })

  it('a deletion gets 403 when it is denied in one environment', async () => {
    const production = deny(['*'], 'proj/*:env/production:flag/*')
    const as = await account.tokenWith(view, allow(['*'], 'proj/*:env/*:flag/*'), production)
    expectRefusal(await account.send('DELETE', flag, { as }), 403)
    const headers = { 'content-type': semanticPatchType }
    expectRefusal(
      await account.send('PATCH', flag, { as, headers, body: { instructions: [{ kind: 'deleteFlag' }] } }),
      403,
    )
    await account.expectNothingChanged()
  })

  it('a deletion gets 403 for a caller with rights to update only', async () => {
    const as = await account.tokenWith(view, allow(['update*'], 'proj/*:env/*:flag/*'))
    const headers = { 'content-type': semanticPatchType }
    expectRefusal(
      await account.send('PATCH', flag, { as, headers, body: { instructions: [{ kind: 'deleteFlag' }] } }),
      403,
    )
    const mixedInstructions = { instructions: [{ kind: 'updateName', value: 'A' }, { kind: 'deleteFlag' }] }
    expect((await account.send('PATCH', flag, { as, headers, body: mixedInstructions })).status).toBe(400)
    await account.expectNothingChanged()
  })

  it('a `move` out of an environment that the policy does not name gets 403', async () => {
    const keys = { projectKey: 'web', flagKey: 'checkout' }
    const rules = [{ clauses: [], variation: 0 }]
    await account.api.patchFlag(
      { ...keys, body: patchOf('replace', '/environments/production/rules', rules) },
      account.by,
    )
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:flag/*'))
    const body = [{ op: 'move', from: '/environments/production/rules/0', path: '/environments/test/rules/-' }]
    expectRefusal(await account.send('PATCH', flag, { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('a `move` between included and excluded gets 403 when the caller has rights to only one of them', async () => {
    await account.api.patchSegment(
      {
        projectKey: 'web',
        environmentKey: 'production',
        segmentKey: 'beta',
        body: patchOf('add', '/included/-', 'ada'),
      },
      account.by,
    )
    const as = await account.tokenWith(view, allow(['updateIncluded'], 'proj/*:env/*:segment/*'))
    const body = [{ op: 'move', from: '/included/0', path: '/excluded/-' }]
    expectRefusal(await account.send('PATCH', segment, { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('a change of both target lists of a big segment gets 403 when the caller has rights to only one', async () => {
    const keys = { projectKey: 'web', environmentKey: 'production' }
    await account.api.createSegment({ ...keys, body: { key: 'big', name: 'Big', unbounded: true } }, account.by)
    const as = await account.tokenWith(view, allow(['updateIncluded'], 'proj/*:env/*:segment/*'))
    const body = { included: { add: ['ada'] }, excluded: { add: ['bob'] } }
    expectRefusal(await account.send('POST', '/api/v2/segments/web/production/big/users', { as, body }), 403)
    const response = await account.send('GET', '/api/v2/segments/web/production/big/users/ada')
    expect(response.text).not.toContain('"included":true')
    await account.expectNothingChanged()
  })

  it.each([
    '/environments/*/on',
    '/environments/__proto__/on',
    '/environments/constructor/on',
    '/environments/nowhere/on',
    '/environments',
    '/environments/test',
    '',
    '/_version',
    '/key',
    '/salt',
    '/~0name',
    '/constructor/prototype/name',
  ])('a patch at the path %j gets 400', async (path) => {
    const as = await account.webToken()
    for (const op of ['add', 'replace']) {
      expect((await account.send('PATCH', flag, { as, body: patchOf(op, path, true) })).status).toBe(400)
    }
    await account.expectNothingChanged()
  })

  it('a patch whose format does not match its content type gets 400', async () => {
    const as = await account.webToken()
    const headers = { 'content-type': semanticPatchType }
    expect((await account.send('PATCH', flag, { as, headers, body: patchOf('replace', '/name', 'A') })).status).toBe(
      400,
    )
    const instructions = [{ kind: 'updateName', value: 'A' }]
    expect((await account.send('PATCH', flag, { as, body: { instructions } })).status).toBe(400)
    await account.expectNothingChanged()
  })
})
