import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it, onTestFinished } from 'vitest'
import { initialText, kindOf, labelOf, parameterValues, type Template } from './template-parameters.ts'

const rollout = { kind: 'updateFallthroughVariationOrRollout' as const, rolloutContextKind: 'user' }

/** Makes a template of the flag `a`, whose second stage has a date, a variation, and the weights of a rollout. */
async function setUp() {
  const engine = createEngine({ storage: createMemoryStorage(), rateLimit: false })
  onTestFinished(() => engine.close())
  await engine.bootstrap({ token: 'an-administrator-of-the-templates' })
  const api = engine.as('an-administrator-of-the-templates')
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  const create = (key: string, more: object = {}) =>
    api.createFlag({ projectKey: 'web', body: { key, name: key, ...more } })
  const [a, b] = [await create('a'), await create('b')]
  const texts = await create('c', { variations: [{ value: 'red' }, { value: 'blue' }] })
  const [on = '', off = ''] = a.variations.map(({ _id }) => _id)
  const keys = { projectKey: 'web', environmentKey: 'production' }
  const date = { kind: 'schedule' as const, executionDate: 4_000_000_000_000 }
  await api.createWorkflowTemplate({
    body: {
      key: 'night',
      ...keys,
      flagKey: 'a',
      stages: [
        { action: { instructions: [{ kind: 'turnFlagOff' }] } },
        {
          name: 'Back',
          conditions: [{ kind: 'ld-approval' }, date],
          action: {
            instructions: [
              { kind: 'updateOffVariation', variationId: off },
              { ...rollout, rolloutWeights: { [on]: 30_000, [off]: 70_000 } },
            ],
          },
        },
      ],
    },
  })
  const [template] = (await api.getWorkflowTemplates({})).items
  const { parameters = [] } = template as Template
  const textsFor = (flag: typeof a) => Object.fromEntries(parameters.map((each) => [each._id, initialText(flag, each)]))
  return { api, keys, a, b, texts, template: template as Template, parameters, textsFor }
}

it('the label of each value names its stage and its instruction', async () => {
  const { template, parameters } = await setUp()
  expect(parameters.map((each) => [labelOf(template, each), kindOf(each)])).toEqual([
    ['Stage 2: Back: date of condition 2', 'date'],
    ['Stage 2: Back: update off variation, variationId', 'variation'],
    ['Stage 2: Back: update fallthrough variation or rollout, rolloutWeights', 'json'],
  ])
})

it('a variation is preset to the variation of the flag with the same value, or to an empty text if there is none', async () => {
  const { a, b, texts, parameters } = await setUp()
  const [, variation] = parameters
  if (!variation) throw new Error('The template has no parameter for the variation')
  expect([a, b, texts].map((flag) => initialText(flag, variation))).toEqual([
    a.variations[1]?._id,
    b.variations[1]?._id,
    '',
  ])
})

it('values that a person did not edit are omitted, so that the API replaces their ids', async () => {
  const { api, keys, b, parameters, textsFor } = await setUp()
  const [date] = parameters
  const entered = { ...textsFor(b), [date?._id ?? '']: '2099-01-31T10:30' }
  const values = parameterValues(b, parameters, entered)
  const body = { name: 'Night', templateKey: 'night', ...(values ? { parameters: values } : {}) }
  const { stages } = await api.postWorkflow({ ...keys, flagKey: 'b', body })
  const [on = '', off = ''] = b.variations.map(({ _id }) => _id)
  expect(stages[1]?.action.instructions).toMatchObject([
    { variationId: off },
    { rolloutWeights: { [on]: 30_000, [off]: 70_000 } },
  ])
  expect(stages[1]?.conditions[1]?.executionDate).toBe(String(new Date('2099-01-31T10:30').getTime()))
})

it('JSON that a person edited is sent, and nothing is sent while the JSON is invalid', async () => {
  const { b, parameters, textsFor } = await setUp()
  const id = parameters[2]?._id ?? ''
  const edited = (text: string) => parameterValues(b, parameters, { ...textsFor(b), [id]: text })
  expect(edited('{"v": 1}')?.at(-1)).toEqual({ _id: id, default: { value: { v: 1 } } })
  expect(edited('{"v":')).toBe(undefined)
})
