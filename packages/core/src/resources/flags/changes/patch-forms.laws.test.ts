import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clause, type FlagProject, flagProject } from '../test/flag-project.ts'

/** One change of a flag with four variations, independent of the patch format. */
type Change =
  | { readonly do: 'switch'; readonly on: boolean }
  | { readonly do: 'off'; readonly variation: number }
  | { readonly do: 'serve'; readonly variation: number }
  | { readonly do: 'roll'; readonly weight: number; readonly variation: number }
  | { readonly do: 'track'; readonly on: boolean }
  | { readonly do: 'target'; readonly variation: number; readonly keys: readonly string[] }
  | { readonly do: 'add rule'; readonly variation: number; readonly value: string }
  | { readonly do: 'remove rule'; readonly id: string }
  | { readonly do: 'tag'; readonly tag: string }
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'keep'; readonly temporary: boolean }
  | { readonly do: 'archive'; readonly archived: boolean }
  | { readonly do: 'remove variation' }

const variation = fc.nat({ max: 2 })
const letter = fc.constantFrom('a', 'b', 'c', 'd')
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ do: fc.constant('switch' as const), on: fc.boolean() }),
  fc.record({ do: fc.constant('off' as const), variation }),
  fc.record({ do: fc.constant('serve' as const), variation }),
  fc.record({ do: fc.constant('roll' as const), variation: fc.nat({ max: 1 }), weight: fc.nat({ max: 100_000 }) }),
  fc.record({ do: fc.constant('track' as const), on: fc.boolean() }),
  fc.record({ do: fc.constant('target' as const), variation, keys: fc.uniqueArray(letter, { minLength: 1 }) }),
  fc.record({ do: fc.constant('add rule' as const), variation, value: letter }),
  fc.record({ do: fc.constant('remove rule' as const), id: fc.constantFrom('r1', 'r2', 'r3') }),
  fc.record({ do: fc.constant('tag' as const), tag: letter }),
  fc.record({ do: fc.constant('rename' as const), name: letter }),
  fc.record({ do: fc.constant('keep' as const), temporary: fc.boolean() }),
  fc.record({ do: fc.constant('archive' as const), archived: fc.boolean() }),
)

/**
 * Returns the change as an instruction. A targeted context is named after its variation, so that it is a target of one
 * variation only.
 */
function instructionOf(step: Change, ids: readonly string[]): object {
  switch (step.do) {
    case 'switch':
      return { kind: step.on ? 'turnFlagOn' : 'turnFlagOff' }
    case 'off':
      return { kind: 'updateOffVariation', variationId: ids[step.variation] }
    case 'serve':
      return { kind: 'updateFallthroughVariationOrRollout', variationId: ids[step.variation] }
    case 'roll': {
      const weights = [
        [ids[step.variation], step.weight],
        [ids[step.variation + 1], 100_000 - step.weight],
      ]
      return { kind: 'updateFallthroughVariationOrRollout', rolloutWeights: Object.fromEntries(weights) }
    }
    case 'track':
      return { kind: 'updateTrackEvents', trackEvents: step.on }
    case 'target':
      return {
        kind: 'addTargets',
        variationId: ids[step.variation],
        values: step.keys.map((key) => `${key}${step.variation}`),
      }
    case 'add rule':
      return { kind: 'addRule', variationId: ids[step.variation], clauses: [clause({ values: [step.value] })] }
    case 'remove rule':
      return { kind: 'removeRule', ruleId: step.id }
    case 'tag':
      return { kind: 'addTags', values: [step.tag] }
    case 'rename':
      return { kind: 'updateName', value: step.name }
    case 'keep':
      return { kind: step.temporary ? 'makeFlagTemporary' : 'makeFlagPermanent' }
    case 'archive':
      return { kind: step.archived ? 'archiveFlag' : 'restoreFlag' }
    case 'remove variation':
      return { kind: 'removeVariation', variationId: ids[3] }
  }
}

/** State of the flag that a writer of JSON Patches must keep track of. */
interface PatchState {
  rules: (string | undefined)[]
  targets: { variation: number; values: string[] }[]
  tags: string[]
}

function operationsOf(step: Change, state: PatchState): object[] {
  const config = '/environments/production'
  const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]
  switch (step.do) {
    case 'switch':
      return replace(`${config}/on`, step.on)
    case 'off':
      return replace(`${config}/offVariation`, step.variation)
    case 'serve':
      return replace(`${config}/fallthrough`, { variation: step.variation })
    case 'roll': {
      const variations = [
        { variation: step.variation, weight: step.weight },
        { variation: step.variation + 1, weight: 100_000 - step.weight },
      ]
      return replace(`${config}/fallthrough`, { rollout: { variations, contextKind: 'user' } })
    }
    case 'track':
      return replace(`${config}/trackEvents`, step.on)
    case 'target': {
      const keys = step.keys.map((key) => `${key}${step.variation}`)
      const target = state.targets.find(({ variation }) => variation === step.variation)
      if (!target) {
        state.targets.push({ variation: step.variation, values: [...keys] })
        return [{ op: 'add', path: `${config}/targets/-`, value: { variation: step.variation, values: keys } }]
      }
      const { values } = target
      const index = state.targets.indexOf(target)
      const fresh = keys.filter((key) => !values.includes(key))
      values.push(...fresh)
      return fresh.map((value) => ({ op: 'add', path: `${config}/targets/${index}/values/-`, value }))
    }
    case 'add rule': {
      state.rules.push(undefined)
      const value = { variation: step.variation, clauses: [clause({ values: [step.value] })] }
      return [{ op: 'add', path: `${config}/rules/-`, value }]
    }
    case 'remove rule': {
      const index = state.rules.indexOf(step.id)
      if (index < 0) return []
      state.rules.splice(index, 1)
      return [{ op: 'remove', path: `${config}/rules/${index}` }]
    }
    case 'tag': {
      if (state.tags.includes(step.tag)) return []
      state.tags.push(step.tag)
      return [{ op: 'add', path: '/tags/-', value: step.tag }]
    }
    case 'rename':
      return replace('/name', step.name)
    case 'keep':
      return replace('/temporary', step.temporary)
    case 'archive':
      return replace('/archived', step.archived)
    case 'remove variation':
      return [{ op: 'remove', path: '/variations/3' }]
  }
}

let twinCount = 0

/**
 * Creates two equal flags, each with three rules in production: one for JSON Patches, the other for semantic patches.
 */
async function twins(project: FlagProject) {
  const twinIndex = ++twinCount
  const [json, semantic] = [`json-${twinIndex}`, `semantic-${twinIndex}`]
  const variations = ['a', 'b', 'c', 'd'].map((value) => ({ value }))
  const defaults = { onVariation: 0, offVariation: 1 }
  const rules = ['r1', 'r2', 'r3'].map((_id) => ({ _id, clauses: [{ ...clause(), _id: `${_id}c` }], variation: 2 }))
  for (const key of [json, semantic]) {
    await project.create(key, { name: 'twin', variations, defaults })
    await project.patch(key, [{ op: 'replace', path: '/environments/production/rules', value: rules }])
  }
  const ids = (await project.get(semantic)).variations.map(({ _id }) => _id)
  /** Returns a flag without the properties that differ between any two flags. */
  const plain = async (key: string) => {
    const { _links, key: _, ...flag } = await project.get(key)
    const text = JSON.stringify(flag, (name, value) => (['salt', 'sel', '_site'].includes(name) ? undefined : value))
    return JSON.parse(text.replace(/"id-\d+"/g, '"new"'))
  }
  const mind: PatchState = { rules: ['r1', 'r2', 'r3'], targets: [], tags: [] }
  return { json, semantic, ids, plain, mind }
}

describe('a JSON Patch and an equivalent semantic patch', () => {
  it('result in the same flag, for any changes in any order', async () => {
    const project = await flagProject()
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 12 }), async (changes) => {
        const { json, semantic, plain, ids, mind } = await twins(project)
        await project.patch(
          json,
          changes.flatMap((step) => operationsOf(step, mind)),
        )
        await project.instruct(
          semantic,
          changes.map((step) => instructionOf(step, ids)),
        )
        expect(await plain(json)).toEqual(await plain(semantic))
      }),
    )
  })

  it('result in the same flag step by step, also when variations are removed', async () => {
    const project = await flagProject()
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChange, { maxLength: 5 }),
        fc.array(anyChange, { maxLength: 5 }),
        async (before, after) => {
          const { json, semantic, plain, ids, mind } = await twins(project)
          for (const step of [...before, { do: 'remove variation' } as const, ...after]) {
            await project.patch(json, operationsOf(step, mind))
            await project.instruct(semantic, [instructionOf(step, ids)])
          }
          expect(await plain(json)).toEqual(await plain(semantic))
        },
      ),
      { numRuns: 40 },
    )
  })
})
