import { describe, expect, it } from 'vitest'
import { allow } from '../webhooks/test/webhook-calls.ts'
import { followedProject } from './test/followed-project.ts'

const namesOf = (messages: readonly { readonly followers?: readonly { readonly email: string }[] }[]) =>
  messages.map(({ followers }) => followers?.map(({ email }) => email))

describe('the message about a change of a flag', () => {
  it('names its followers in the environment, with the same properties as the author', async () => {
    const { ann, bob, follow, received, turnOn } = await followedProject()
    await follow(ann)
    await follow(bob, { environmentKey: 'test' })
    await follow(bob, { flagKey: 'search' })
    const [message] = await received({}, () => turnOn())
    const _links = { self: { href: `/api/v2/members/${ann}`, type: 'application/json' } }
    const name = { firstName: 'Ann', lastName: 'Smith' }
    expect(message.followers).toEqual([{ _links, _id: ann, email: 'ann@example.com', ...name }])
  })

  it('names the followers in all environments when it concerns all environments', async () => {
    const { ann, bob, follow, received, rename } = await followedProject()
    await follow(ann)
    await follow(bob, { environmentKey: 'test' })
    await follow(ann, { environmentKey: 'test' })
    expect(namesOf(await received({}, () => rename('Till')))).toEqual([['ann@example.com', 'bob@example.com']])
  })

  it('omits the property `followers` when no member follows the flag', async () => {
    const { ann, follow, leave, received, turnOn, rename } = await followedProject()
    await follow(ann)
    await leave(ann)
    const messages = await received({}, async () => {
      await turnOn()
      await rename('Till')
    })
    expect(messages.map((message) => Object.hasOwn(message, 'followers'))).toEqual([false, false])
  })

  it('about a new follower omits `followers`, because the flag did not change', async () => {
    const { ann, bob, follow, received } = await followedProject()
    await follow(ann)
    expect(namesOf(await received({}, () => follow(bob)))).toEqual([undefined])
  })

  it('names the followers of a flag that was deleted', async () => {
    const { api, as, ann, bob, follow, received } = await followedProject()
    await follow(ann)
    await follow(bob, { environmentKey: 'test' })
    const messages = await received({}, () => api.deleteFlag({ projectKey: 'web', flagKey: 'checkout' }, { as }))
    expect(namesOf(messages).map((names) => names?.toSorted())).toEqual([['ann@example.com', 'bob@example.com']])
  })

  it('names followers by their current names, and omits deleted members', async () => {
    const { api, as, ann, bob, follow, received, turnOn } = await followedProject()
    await follow(ann)
    await follow(bob)
    const [message] = await received({}, async () => {
      await turnOn()
      await api.deleteMember({ id: ann }, { as })
      const body = [{ op: 'replace', path: '/lastName', value: 'Jones' }] as never
      await api.patchMember({ id: bob, body }, { as })
    })
    expect(message.followers).toMatchObject([{ firstName: 'Bob', lastName: 'Jones' }])
  })

  it('names only followers of the flags that the statements of the webhook select, when several flags were changed', async () => {
    const { api, as, ann, bob, follow, received } = await followedProject()
    await follow(ann)
    await follow(bob, { flagKey: 'search' })
    const value = Date.UTC(2030, 0, 1)
    const instructions = await Promise.all(
      ['checkout', 'search'].map(async (flagKey) => {
        const { variations } = await api.getFlag({ projectKey: 'web', flagKey }, { as })
        const variationId = variations[0]?._id ?? ''
        const add = { kind: 'addTargets', values: ['u1'], variationId, contextKind: 'user' }
        const body = { environmentKey: 'production', instructions: [add] } as never
        await api.patchFlag({ projectKey: 'web', flagKey, body }, { as })
        return { kind: 'addExpireUserTargetDate', flagKey, variationId, value } as const
      }),
    )
    const keys = { projectKey: 'web', environmentKey: 'production', userKey: 'u1' }
    const statements = allow('proj/web:env/production:flag/search')
    const change = () => api.patchExpiringFlagsForUser({ ...keys, body: { instructions } }, { as })
    expect(namesOf(await received({ statements }, change))).toEqual([['bob@example.com']])
  })
})

describe('a message in the format of', () => {
  it.each([
    ['slack', ({ text }: { text: string }) => text],
    ['discord', ({ content }: { content: string }) => content.replaceAll('\\', '')],
    [
      'teams',
      ({ attachments }: { attachments: { content: { body: { inlines: { text: string }[] }[] } }[] }) =>
        attachments[0]?.content.body.map(({ inlines }) => inlines[0]?.text).join('\n'),
    ],
  ] as const)('%s names the followers', async (format, textOf) => {
    const { ann, cid, follow, received, turnOn, pass } = await followedProject()
    await follow(ann)
    pass(1)
    await follow(cid)
    const [message] = await received({ format }, () => turnOn())
    expect(textOf(message)?.split('\n').at(-1)).toBe('Followers: Ann Smith, cid@example.com')
    const [other] = await received({ format }, () => turnOn({ flagKey: 'search' }))
    expect(textOf(other)).not.toContain('Followers')
  })

  it('pagerduty lists the followers in its details', async () => {
    const { ann, follow, received, turnOn } = await followedProject()
    await follow(ann)
    const query = '?routing_key=R0UT1NG'
    const [message] = await received({ format: 'pagerduty' }, () => turnOn(), query)
    expect(message.payload.custom_details).toMatchObject({ kind: 'flag-config', followers: 'Ann Smith' })
    const [other] = await received({ format: 'pagerduty' }, () => turnOn({ flagKey: 'search' }), query)
    expect(other.payload.custom_details).not.toHaveProperty('followers')
  })
})
