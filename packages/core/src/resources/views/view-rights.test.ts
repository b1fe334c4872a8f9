import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, checkout, editor, failureOf, flagsOf, segmentsOf, viewAccount } from './test/view-account.ts'

const { projectKey } = checkout

describe('the permissions for links', () => {
  it.each([
    ['link', 'linkFlagToView', 'linkSegmentToView'],
    ['unlink', 'unlinkFlagFromView', 'unlinkSegmentFromView'],
  ] as const)('to %s are separate for flags and segments', async (operation, forFlags, forSegments) => {
    const account = await viewAccount()
    const call = (as: As, keys = flagsOf()) =>
      account[operation](keys.resourceType === 'flags' ? { keys: [] } : { segmentIdentifiers: [] }, as, keys)
    expect(await call(editor(forFlags))).toMatchObject({ successCount: 0 })
    expect(await call(editor(forSegments), segmentsOf())).toMatchObject({ successCount: 0 })
    expect(await failureOf(call(editor(forSegments)))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(call(editor(forFlags), segmentsOf()))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(call(editor('updateView', 'viewView')))).toMatchObject({ code: 'forbidden' })
  })

  it('for one view do not apply to another', async () => {
    const { link, newView } = await viewAccount()
    await newView('cart')
    const as: As = { policy: [allow(['viewProject'], 'proj/*'), allow(['linkFlagToView'], 'proj/*:view/cart')] }
    expect(await failureOf(link({ keys: [] }, as))).toMatchObject({ code: 'forbidden' })
    expect(await link({ keys: [] }, as, { ...flagsOf(), viewKey: 'cart' })).toMatchObject({ successCount: 0 })
  })

  it('require the right to view the linked resources', async () => {
    const { link, unlink, linked, viewsOf, newFlag } = await viewAccount()
    await newFlag('a', { tags: ['secret'] })
    const callerWithoutView: As = { policy: [allow(['*'], 'proj/*:view/*')] }
    for (const call of [
      link({ filter: 'tags:secret' }, callerWithoutView),
      unlink({ keys: ['a'] }, callerWithoutView),
    ]) {
      expect(await failureOf(call)).toMatchObject({ code: 'forbidden' })
    }
    expect(await failureOf(linked({}, flagsOf(), callerWithoutView))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(viewsOf('flags', 'a', {}, callerWithoutView))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(linked({}, flagsOf(), editor()))).toMatchObject({ code: 'forbidden' })
    expect(await linked({}, flagsOf(), editor('viewView'))).toMatchObject({ totalCount: 0 })
  })

  it('are checked before the response reveals whether the view exists', async () => {
    const { link } = await viewAccount()
    const nowhere = { ...flagsOf(), viewKey: 'nowhere' }
    expect(await failureOf(link({ keys: [] }, editor('viewView'), nowhere))).toMatchObject({ code: 'forbidden' })
  })
})

describe('a policy that refers to a view', () => {
  const inCheckout = (actions: string[], kind: string): As => ({
    policy: [allow(['viewProject'], 'proj/*'), allow(actions, `proj/*:env/*:${kind}/*;view:checkout`)],
  })
  const instruct = (kind: string) => ({ environmentKey: 'production', instructions: [{ kind }] }) as never
  const turnOn = instruct('turnFlagOn')

  it('applies to the linked flags while they are linked', async () => {
    const { api, link, unlink, newFlag, newView, as } = await viewAccount()
    await newView('cart')
    for (const key of ['a', 'b']) await newFlag(key)
    const caller = inCheckout(['updateOn'], 'flag')
    const turnOnFlag = (flagKey: string, body = turnOn) => api.patchFlag({ projectKey, flagKey, body }, { as: caller })
    await link({ keys: ['b'] }, as, { ...flagsOf(), viewKey: 'cart' })
    expect(await failureOf(turnOnFlag('a'))).toMatchObject({ code: 'forbidden' })
    await link({ keys: ['a'] })
    expect((await turnOnFlag('a')).environments?.production?.on).toBe(true)
    expect(await failureOf(turnOnFlag('b'))).toMatchObject({ code: 'forbidden' })
    const { _access } = await api.getFlag({ projectKey, flagKey: 'a' }, { as: caller })
    expect(_access?.allowed.map(({ action }) => action)).toEqual(['updateOn'])
    await unlink({ keys: ['a'] })
    expect(await failureOf(turnOnFlag('a', instruct('turnFlagOff')))).toMatchObject({ code: 'forbidden' })
  })

  it('no longer applies after the view was deleted, also not to a new view with the same key', async () => {
    const { api, as, link, newFlag, newView } = await viewAccount()
    await newFlag('a')
    await link({ keys: ['a'] })
    await api.deleteView(checkout, { as })
    await newView('checkout')
    const turnOnFlag = api.patchFlag(
      { projectKey, flagKey: 'a', body: turnOn },
      { as: inCheckout(['updateOn'], 'flag') },
    )
    expect(await failureOf(turnOnFlag)).toMatchObject({ code: 'forbidden' })
  })

  it('applies to the linked segments of their environment', async () => {
    const { api, as, link, newSegment, production } = await viewAccount()
    await newSegment('beta')
    await newSegment('beta', {}, 'test')
    const body = { segmentIdentifiers: [{ environmentId: production, segmentKey: 'beta' }] }
    await link(body, as, segmentsOf())
    const rename = (environmentKey: string) =>
      api.patchSegment(
        { projectKey, environmentKey, segmentKey: 'beta', body: [{ op: 'replace', path: '/name', value: 'B' }] },
        { as: inCheckout(['updateName'], 'segment') },
      )
    expect(await rename('production')).toMatchObject({ name: 'B' })
    expect(await failureOf(rename('test'))).toMatchObject({ code: 'forbidden' })
  })

  it('can deny actions', async () => {
    const { api, link, newFlag } = await viewAccount()
    for (const key of ['a', 'b']) await newFlag(key)
    await link({ keys: ['a'] })
    const caller: As = {
      policy: [
        allow(['viewProject'], 'proj/*'),
        allow(['updateOn'], 'proj/*:env/*:flag/*'),
        { effect: 'deny', actions: ['*'], resources: ['proj/*:env/*:flag/*;view:check*'] },
      ],
    }
    const turnOnFlag = (flagKey: string) => api.patchFlag({ projectKey, flagKey, body: turnOn }, { as: caller })
    expect(await failureOf(turnOnFlag('a'))).toMatchObject({ code: 'forbidden' })
    expect((await turnOnFlag('b')).environments?.production?.on).toBe(true)
  })
})
