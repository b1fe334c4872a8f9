import { describe, expect, it } from 'vitest'
import {
  account,
  accountForEachTest,
  allow,
  deny,
  expectRefusal,
  patching,
  semantic,
  view,
} from './setup/attacked-account.ts'

accountForEachTest()

describe('a thing brought into reach', () => {
  const mine = (kind: string) => [view, allow(['*'], `proj/*:env/*:${kind}/*;mine`)]

  it('by the tags of the body that makes it', async () => {
    const body = { key: 'new', name: 'New', tags: ['mine'] }
    const flag = await account.send('POST', '/api/v2/flags/web', { as: await account.tokenWith(...mine('flag')), body })
    expectRefusal(flag, 403)
    const path = '/api/v2/segments/web/production'
    expectRefusal(await account.send('POST', path, { as: await account.tokenWith(...mine('segment')), body }), 403)
    const project = { as: await account.tokenWith(allow(['*'], 'proj/*;mine')), body }
    expectRefusal(await account.send('POST', '/api/v2/projects', project), 403)
    const environment = {
      as: await account.tokenWith(allow(['*'], 'proj/*:env/*;mine')),
      body: { ...body, color: '000000' },
    }
    expectRefusal(await account.send('POST', '/api/v2/projects/web/environments', environment), 403)
    await account.expectNothingChanged()
  })

  it('by a tag in the patch that needs it', async () => {
    const as = await account.tokenWith(view, allow(['updateTags'], 'proj/*:env/*:flag/*'), ...mine('flag'))
    const body = [...patching('add', '/tags/-', 'mine'), ...patching('replace', '/name', 'Taken')]
    expectRefusal(await account.send('PATCH', '/api/v2/flags/web/checkout', { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('by taking away the property that keeps it off', async () => {
    const off = deny(['*'], 'proj/*:env/*;{critical:true}', 'proj/*:env/*;{critical:true}:segment/*')
    const as = await account.tokenWith(view, allow(['*'], 'proj/*:env/*', 'proj/*:env/*:segment/*'), off)
    const body = patching('replace', '/critical', false)
    expectRefusal(await account.send('PATCH', '/api/v2/projects/web/environments/production', { as, body }), 403)
    expectRefusal(await account.send('DELETE', '/api/v2/segments/web/production/beta', { as }), 403)
    await account.expectNothingChanged()
  })

  it.each(['a;b', 'a,b', '{critical:true}', 'view:x', '*', 'a:b', 'a b', 'a\0'])('by the tag %j', async (tag) => {
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
  ])('by the key %j', async (key) => {
    const body = { key, name: 'New' }
    expect((await account.send('POST', '/api/v2/projects', { body })).status).toBe(400)
    expect((await account.send('POST', '/api/v2/flags/web', { body })).status).toBe(400)
    await account.expectNothingChanged()
  })

  it('by a key that the body says twice', async () => {
    const as = await account.tokenWith(allow(['createProject'], 'proj/mine'))
    const body = '{"key":"mine","name":"Mine","key":"theirs"}'
    expectRefusal(await account.send('POST', '/api/v2/projects', { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('by a key in the body that is not the one of the path', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:segment/*'))
    const body = { key: 'new', name: 'New', projectKey: 'secret', environmentKey: 'production' }
    expect((await account.send('POST', '/api/v2/segments/web/test', { as, body })).status).toBe(400)
    await account.expectNothingChanged()
  })
})

describe('a patch that does more than one may', () => {
  const flag = '/api/v2/flags/web/checkout'
  const segment = '/api/v2/segments/web/production/beta'
  const on = (environmentKey: string) => `/environments/${environmentKey}/on`

  it('a second aspect, in either order', async () => {
    const as = await account.tokenWith(view, allow(['updateTags'], 'proj/*:env/*:flag/*', 'proj/*:env/*:segment/*'))
    const both = [...patching('add', '/tags/-', 'x'), ...patching('replace', '/name', 'Taken')]
    for (const path of [flag, segment]) {
      expectRefusal(await account.send('PATCH', path, { as, body: both }), 403)
      expectRefusal(await account.send('PATCH', path, { as, body: both.toReversed() }), 403)
    }
    await account.expectNothingChanged()
  })

  it('a second aspect, wrapped with a comment', async () => {
    const as = await account.tokenWith(view, allow(['updateTags'], 'proj/*:env/*:segment/*'))
    const patch = [...patching('add', '/tags/-', 'x'), ...patching('replace', '/rules', [{ clauses: [] }])]
    expectRefusal(await account.send('PATCH', segment, { as, body: { comment: 'tags', patch } }), 403)
    await account.expectNothingChanged()
  })

  it('one instruction among allowed ones', async () => {
    const as = await account.tokenWith(
      view,
      allow(['*'], 'proj/*:env/*:flag/*'),
      deny(['updateOn'], 'proj/*:env/*:flag/*'),
    )
    const headers = { 'content-type': semantic }
    const instructions = [
      { kind: 'updateName', value: 'A' },
      { kind: 'turnFlagOn' },
      { kind: 'updateName', value: 'B' },
    ]
    const body = { environmentKey: 'test', instructions }
    expectRefusal(await account.send('PATCH', flag, { as, headers, body }), 403)
    await account.expectNothingChanged()
  })

  it('the environment that the policy does not name', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:flag/*'))
    const headers = { 'content-type': semantic }
    const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] }
    expectRefusal(await account.send('PATCH', flag, { as, headers, body: turnOn }), 403)
    expectRefusal(await account.send('PATCH', flag, { as, body: patching('replace', on('production'), true) }), 403)
    const both = [...patching('replace', on('test'), true), ...patching('replace', on('production'), true)]
    expectRefusal(await account.send('PATCH', flag, { as, body: both }), 403)
    await account.expectNothingChanged()
  })

  it('an environment in the body that is not the one of the path', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:segment/*'))
    const headers = { 'content-type': semantic }
    const instructions = [{ kind: 'updateName', value: 'Taken' }]
    const production = { as, headers, body: { environmentKey: 'test', instructions } }
    expectRefusal(await account.send('PATCH', segment, production), 403)
    const other = { as, headers, body: { environmentKey: 'production', instructions } }
    expect((await account.send('PATCH', '/api/v2/segments/web/test/beta', other)).status).toBe(400)
    await account.expectNothingChanged()
  })

  it('what counts in all environments, with rights in one', async () => {
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:flag/*', 'proj/web:env/t*:flag/*'))
    const headers = { 'content-type': semantic }
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

  it('a deletion in all environments, denied in one', async () => {
    const production = deny(['*'], 'proj/*:env/production:flag/*')
    const as = await account.tokenWith(view, allow(['*'], 'proj/*:env/*:flag/*'), production)
    expectRefusal(await account.send('DELETE', flag, { as }), 403)
    const headers = { 'content-type': semantic }
    expectRefusal(
      await account.send('PATCH', flag, { as, headers, body: { instructions: [{ kind: 'deleteFlag' }] } }),
      403,
    )
    await account.expectNothingChanged()
  })

  it('a deletion by those who may change everything else', async () => {
    const as = await account.tokenWith(view, allow(['update*'], 'proj/*:env/*:flag/*'))
    const headers = { 'content-type': semantic }
    expectRefusal(
      await account.send('PATCH', flag, { as, headers, body: { instructions: [{ kind: 'deleteFlag' }] } }),
      403,
    )
    const hidden = { instructions: [{ kind: 'updateName', value: 'A' }, { kind: 'deleteFlag' }] }
    expect((await account.send('PATCH', flag, { as, headers, body: hidden })).status).toBe(400)
    await account.expectNothingChanged()
  })

  it('a move out of what the policy does not name', async () => {
    const place = { projectKey: 'web', featureFlagKey: 'checkout' }
    const rules = [{ clauses: [], variation: 0 }]
    await account.api.patchFlag(
      { ...place, body: patching('replace', '/environments/production/rules', rules) },
      account.by,
    )
    const as = await account.tokenWith(view, allow(['*'], 'proj/web:env/test:flag/*'))
    const body = [{ op: 'move', from: '/environments/production/rules/0', path: '/environments/test/rules/-' }]
    expectRefusal(await account.send('PATCH', flag, { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('a move from one list to the other, with rights to one', async () => {
    await account.api.patchSegment(
      {
        projectKey: 'web',
        environmentKey: 'production',
        segmentKey: 'beta',
        body: patching('add', '/included/-', 'ada'),
      },
      account.by,
    )
    const as = await account.tokenWith(view, allow(['updateIncluded'], 'proj/*:env/*:segment/*'))
    const body = [{ op: 'move', from: '/included/0', path: '/excluded/-' }]
    expectRefusal(await account.send('PATCH', segment, { as, body }), 403)
    await account.expectNothingChanged()
  })

  it('the other list of a big segment', async () => {
    const place = { projectKey: 'web', environmentKey: 'production' }
    await account.api.createSegment({ ...place, body: { key: 'big', name: 'Big', unbounded: true } }, account.by)
    const as = await account.tokenWith(view, allow(['updateIncluded'], 'proj/*:env/*:segment/*'))
    const body = { included: { add: ['ada'] }, excluded: { add: ['bob'] } }
    expectRefusal(await account.send('POST', '/api/v2/segments/web/production/big/users', { as, body }), 403)
    const asked = await account.send('GET', '/api/v2/segments/web/production/big/users/ada')
    expect(asked.text).not.toContain('"included":true')
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
  ])('at the path %j', async (path) => {
    const as = await account.webToken()
    for (const op of ['add', 'replace']) {
      expect((await account.send('PATCH', flag, { as, body: patching(op, path, true) })).status).toBe(400)
    }
    await account.expectNothingChanged()
  })

  it('one kind of patch announced as the other', async () => {
    const as = await account.webToken()
    const headers = { 'content-type': semantic }
    expect((await account.send('PATCH', flag, { as, headers, body: patching('replace', '/name', 'A') })).status).toBe(
      400,
    )
    const instructions = [{ kind: 'updateName', value: 'A' }]
    expect((await account.send('PATCH', flag, { as, body: { instructions } })).status).toBe(400)
    await account.expectNothingChanged()
  })
})
