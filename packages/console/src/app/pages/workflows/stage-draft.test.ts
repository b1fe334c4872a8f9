import { expect, it } from 'vitest'
import {
  areComplete,
  newAction,
  newCondition,
  newStage,
  readInstructions,
  type StageDraft,
  stagesInput,
} from './stage-draft.ts'

const withAction = (changes: Partial<StageDraft['actions'][number]>): readonly StageDraft[] => [
  { ...newStage('v1'), actions: [{ ...newAction('v1'), ...changes }] },
]

it.each(['', '{', '{}', '[]', '[1]', '[null]', '"turnFlagOn"'])(
  'the text %s is refused as a list of instructions',
  (text) => {
    expect(readInstructions(text)).toBe(undefined)
    expect(areComplete(withAction({ kind: 'other', text }))).toBe(false)
  },
)

it('an invalid text of instructions matters only when the action that uses it is selected', () => {
  expect(areComplete(withAction({ kind: 'turnFlagOff', text: '{' }))).toBe(true)
})

it('the weights of a rollout must add up to 100 %', () => {
  const serve = (v1: number) => ({ weights: { v1, v2: 50_000 }, contextKind: 'user' })
  expect(areComplete(withAction({ kind: 'serve', serve: serve(50_000) }))).toBe(true)
  expect(areComplete(withAction({ kind: 'serve', serve: serve(40_000) }))).toBe(false)
})

it('a new stage turns the flag on immediately', () => {
  expect(stagesInput([newStage('v1')])).toEqual([
    { conditions: [], action: { instructions: [{ kind: 'turnFlagOn' }] } },
  ])
})

it('instructions that are entered as JSON keep their position in the list', () => {
  const [other] = withAction({ kind: 'other', text: '[{"kind": "a"}, {"kind": "b"}]' })
  const [last] = withAction({ kind: 'serveOff', offVariationId: 'v2' })
  const actions = [...(other?.actions ?? []), ...(last?.actions ?? [])]
  expect(stagesInput([{ ...newStage('v1'), actions }])[0]?.action.instructions).toEqual([
    { kind: 'a' },
    { kind: 'b' },
    { kind: 'updateOffVariation', variationId: 'v2' },
  ])
})

it('an approval notifies the chosen members and the entered teams', () => {
  const approval = { ...newCondition(), kind: 'approval', reason: '', memberIds: ['m1', 'm2'], teams: 'qa\n' } as const
  expect(stagesInput([{ ...newStage('v1'), conditions: [approval] }])[0]?.conditions).toEqual([
    { kind: 'ld-approval', notifyMemberIds: ['m1', 'm2'], notifyTeamKeys: ['qa'] },
  ])
})
