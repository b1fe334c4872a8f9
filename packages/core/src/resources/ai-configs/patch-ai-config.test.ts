import { describe, expect, it } from 'vitest'
import { aiProject, allow, editor, failureOf, start } from './test/ai-project.ts'

describe('patchAIConfig', () => {
  it('replaces the given properties and keeps the others', async () => {
    const { create, patch, pass } = await aiProject()
    const created = await create('chat', { description: 'Old', tags: ['a'], evaluationMetricKey: 'speed' })
    pass(1000)
    const changed = await patch('chat', { name: 'New', tags: ['b', 'c'], isInverted: true })
    expect(changed).toEqual({
      ...created,
      name: 'New',
      tags: ['b', 'c'],
      isInverted: true,
      version: 2,
      updatedAt: start + 1000,
    })
  })

  it('keeps evaluationMetricKey and evaluationMetricKeys consistent', async () => {
    const { create, patch } = await aiProject()
    const metrics = async (body: object) => {
      const { evaluationMetricKey, evaluationMetricKeys } = await patch('chat', body)
      return [evaluationMetricKey, evaluationMetricKeys]
    }
    expect(await create('chat', { evaluationMetricKey: 'a' })).toMatchObject({ evaluationMetricKeys: ['a'] })
    expect(await metrics({ evaluationMetricKeys: ['b', 'c'] })).toEqual(['b', ['b', 'c']])
    expect(await metrics({ evaluationMetricKeys: ['b', 'c'], evaluationMetricKey: 'c' })).toEqual(['c', ['b', 'c']])
    expect(await metrics({ evaluationMetricKey: 'd' })).toEqual(['d', ['d']])
    expect(await metrics({ name: 'Other' })).toEqual(['d', ['d']])
    expect(await metrics({ evaluationMetricKeys: [] })).toEqual([undefined, []])
  })

  it('writes nothing when the patch changes nothing', async () => {
    const { create, patch, pass, log } = await aiProject()
    const created = await create('chat', { tags: ['a'] })
    pass(1000)
    const entries = await log()
    expect(await patch('chat', { tags: ['a'], name: 'chat' })).toEqual(created)
    expect(await patch('chat', {})).toEqual(created)
    expect(await log()).toEqual(entries)
  })

  it('requires the action updateAIConfig, which may depend on tags, and viewProject', async () => {
    const { create, patch } = await aiProject()
    await create('chat', { tags: ['shop'] })
    await create('other')
    const shopEditor = editor(['updateAIConfig'], 'proj/*:aiconfig/*;shop')
    expect(await patch('chat', { name: 'x' }, shopEditor)).toMatchObject({ name: 'x' })
    expect(await failureOf(patch('other', { tags: ['shop'] }, shopEditor))).toMatchObject({ code: 'forbidden' })
    const otherActions = editor(['createAIConfig', 'deleteAIConfig', 'updateAIConfigTargeting'], 'proj/*:aiconfig/*')
    expect(await failureOf(patch('chat', { name: 'y' }, otherActions))).toMatchObject({ code: 'forbidden' })
    const callerWithoutView = { policy: [allow(['*'], ['proj/*:aiconfig/*'])] }
    expect(await failureOf(patch('chat', { name: 'y' }, callerWithoutView))).toMatchObject({ code: 'forbidden' })
  })

  it('applies both of two concurrent changes of different properties', async () => {
    const { create, get, patch } = await aiProject()
    await create('chat')
    await Promise.all([patch('chat', { name: 'a' }), patch('chat', { description: 'b' })])
    expect(await get('chat')).toMatchObject({ name: 'a', description: 'b', version: 3 })
  })

  it('respects If-Match', async () => {
    const { create, send } = await aiProject()
    await create('chat')
    const patchWithIfMatch = (etag: string) =>
      send('PATCH', '/api/v2/projects/web/ai-configs/chat', { name: 'New' }, { 'if-match': etag })
    expect((await patchWithIfMatch('"7"')).status).toBe(409)
    const { status, headers } = await patchWithIfMatch('"1"')
    expect([status, headers.etag]).toEqual([200, '"2"'])
  })
})
