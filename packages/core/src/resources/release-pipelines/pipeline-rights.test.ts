import { describe, expect, it } from 'vitest'
import { editor, failureOf } from '../flags/test/flag-project.ts'
import { releaseProject, twoPhases } from './test/release-project.ts'

describe('permissions for a release pipeline', () => {
  const [first, second] = twoPhases
  const resource = 'proj/web:release-pipeline/usual'

  it.each<[string, object]>([
    ['updateReleasePipelineName', { name: 'Other' }],
    ['updateReleasePipelineDescription', { description: 'Other' }],
    ['updateReleasePipelineTags', { tags: ['other'] }],
    ['updateReleasePipelinePhaseName', { phases: [{ ...first, name: 'Other' }, second] }],
    ['updateReleasePipelinePhase', { phases: [first] }],
    ['updateReleasePipelinePhase', { phases: [first, second, { name: 'Third', audiences: [] }] }],
    ['updateReleasePipelinePhase', { phases: [{ ...first, audiences: [] }, second] }],
  ])('require %s for %j', async (action, overrides) => {
    const { addPipeline, putPipeline } = await releaseProject()
    await addPipeline('usual')
    const all = [
      'updateReleasePipelineName',
      'updateReleasePipelineDescription',
      'updateReleasePipelineTags',
      'updateReleasePipelinePhaseName',
      'updateReleasePipelinePhase',
    ]
    const otherActions = all.filter((candidate) => candidate !== action)
    expect(await failureOf(putPipeline('usual', overrides, editor(otherActions, resource)))).toMatchObject({
      code: 'forbidden',
    })
    expect((await putPipeline('usual', overrides, editor([action], resource)))._version).toBe(2)
  })

  it('require the action of every changed aspect', async () => {
    const { addPipeline, putPipeline } = await releaseProject()
    await addPipeline('usual')
    const overrides = { phases: [{ ...first, name: 'Other', audiences: [] }, second] }
    const callerWithOneAction = editor(['updateReleasePipelinePhase'], resource)
    expect(await failureOf(putPipeline('usual', overrides, callerWithOneAction))).toMatchObject({ code: 'forbidden' })
  })

  it('are independent of each other', async () => {
    const { addPipeline, deletePipeline } = await releaseProject()
    await addPipeline('usual')
    await addPipeline('other')
    const creator = editor(['createReleasePipeline'], 'proj/web:release-pipeline/*')
    expect(await failureOf(deletePipeline('other', creator))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(addPipeline('new', {}, editor(['deleteReleasePipeline'], resource)))).toMatchObject({
      code: 'forbidden',
    })
    await deletePipeline('other', editor(['deleteReleasePipeline'], 'proj/web:release-pipeline/other'))
  })
})
