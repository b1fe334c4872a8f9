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
const change: fc.Arbitrary<Change> = fc.oneof(
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
function instructionOf(one: Change, ids: readonly string[]): object {
  switch (one.do) {
    case 'switch':
      return { kind: one.on ? 'turnFlagOn' : 'turnFlagOff' }
    case 'off':
      return { kind: 'updateOffVariation', variationId: ids[one.variation] }
    case 'serve':
      return { kind: 'updateFallthroughVariationOrRollout', variationId: ids[one.variation] }
    case 'roll': {
      const weights = [
        [ids[one.variation], one.weight],
        [ids[one.variation + 1], 100_000 - one.weight],
      ]
      return { kind: 'updateFallthroughVariationOrRollout', rolloutWeights: Object.fromEntries(weights) }
    }
    case 'track':
      return { kind: 'updateTrackEvents', trackEvents: one.on }
    case 'target':
      return {
        kind: 'addTargets',
        variationId: ids[one.variation],
        values: one.keys.map((key) => `${key}${one.variation}`),
      }
    case 'add rule':
      return { kind: 'addRule', variationId: ids[one.variation], clauses: [clause({ values: [one.value] })] }
    case 'remove rule':
      return { kind: 'removeRule', ruleId: one.id }
    case 'tag':
      return { kind: 'addTags', values: [one.tag] }
    case 'rename':
      return { kind: 'updateName', value: one.name }
    case 'keep':
      return { kind: one.temporary ? 'makeFlagTemporary' : 'makeFlagPermanent' }
    case 'archive':
      return { kind: one.archived ? 'archiveFlag' : 'restoreFlag' }
    case 'remove variation':
      return { kind: 'removeVariation', variationId: ids[3] }
  }
}

/** State of the flag that a writer of JSON Patches must keep track of. */
interface Mind {
  rules: (string | undefined)[]
  targets: { variation: number; values: string[] }[]
  tags: string[]
}

function operationsOf(one: Change, mind: Mind): object[] {
  const config = '/environments/production'
  const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]
  switch (one.do) {
    case 'switch':
      return replace(`${config}/on`, one.on)
    case 'off':
      return replace(`${config}/offVariation`, one.variation)
    case 'serve':
      return replace(`${config}/fallthrough`, { variation: one.variation })
    case 'roll': {
      const variations = [
        { variation: one.variation, weight: one.weight },
        { variation: one.variation + 1, weight: 100_000 - one.weight },
      ]
      return replace(`${config}/fallthrough`, { rollout: { variations, contextKind: 'user' } })
    }
    case 'track':
      return replace(`${config}/trackEvents`, one.on)
    case 'target': {
      const keys = one.keys.map((key) => `${key}${one.variation}`)
      const target = mind.targets.find(({ variation }) => variation === one.variation)
      if (!target) {
        mind.targets.push({ variation: one.variation, values: [...keys] })
        return [{ op: 'add', path: `${config}/targets/-`, value: { variation: one.variation, values: keys } }]
      }
      const { values } = target
      const at = mind.targets.indexOf(target)
      const fresh = keys.filter((key) => !values.includes(key))
      values.push(...fresh)
      return fresh.map((value) => ({ op: 'add', path: `${config}/targets/${at}/values/-`, value }))
    }
    case 'add rule': {
      mind.rules.push(undefined)
      const value = { variation: one.variation, clauses: [clause({ values: [one.value] })] }
      return [{ op: 'add', path: `${config}/rules/-`, value }]
    }
    case 'remove rule': {
      const at = mind.rules.indexOf(one.id)
      if (at < 0) return []
      mind.rules.splice(at, 1)
      return [{ op: 'remove', path: `${config}/rules/${at}` }]
    }
    case 'tag': {
      if (mind.tags.includes(one.tag)) return []
      mind.tags.push(one.tag)
      return [{ op: 'add', path: '/tags/-', value: one.tag }]
    }
    case 'rename':
      return replace('/name', one.name)
    case 'keep':
      return replace('/temporary', one.temporary)
    case 'archive':
      return replace('/archived', one.archived)
    case 'remove variation':
      return [{ op: 'remove', path: '/variations/3' }]
  }
}

let births = 0

/**
 * Creates two equal flags, each with three rules in production: one for JSON Patches, the other for semantic patches.
 */
async function twins(project: FlagProject) {
  const born = ++births
  const [json, semantic] = [`json-${born}`, `semantic-${born}`]
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
  const mind: Mind = { rules: ['r1', 'r2', 'r3'], targets: [], tags: [] }
  return { json, semantic, ids, plain, mind }
}

describe('a JSON Patch and an equivalent semantic patch', () => {
  it('result in the same flag, for any changes in any order', async () => {
    const project = await flagProject()
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const { json, semantic, plain, ids, mind } = await twins(project)
        await project.patch(
          json,
          changes.flatMap((one) => operationsOf(one, mind)),
        )
        await project.instruct(
          semantic,
          changes.map((one) => instructionOf(one, ids)),
        )
        expect(await plain(json)).toEqual(await plain(semantic))
      }),
    )
  })

  it('result in the same flag step by step, also when variations are removed', async () => {
    const project = await flagProject()
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 5 }),
        fc.array(change, { maxLength: 5 }),
        async (before, after) => {
          const { json, semantic, plain, ids, mind } = await twins(project)
          for (const one of [...before, { do: 'remove variation' } as const, ...after]) {
            await project.patch(json, operationsOf(one, mind))
            await project.instruct(semantic, [instructionOf(one, ids)])
          }
          expect(await plain(json)).toEqual(await plain(semantic))
        },
      ),
      { numRuns: 40 },
    )
  })
})
