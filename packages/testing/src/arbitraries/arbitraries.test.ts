import { applyPatch, parsePatch } from '@halyard/core/json-patch'
import { compilePolicy, compileRole, decide, validateStatements } from '@halyard/core/policy'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestEngine } from '../engine/test-engine.ts'
import { contexts, flagBodies, jsonPatches, policies, policyQueries } from './index.ts'

const as = { role: 'owner' } as const

async function projectEngine() {
  const engine = await createTestEngine()
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  return engine
}

describe('policies and policyQueries', () => {
  const vocabulary = { roleAttributes: ['team'] }

  it('generate well-formed statements, and queries that are often allowed, denied, and denied by default', () => {
    const counts = { allowed: 0, denied: 0, byDefault: 0 }
    fc.assert(
      fc.property(
        policies(vocabulary),
        fc.array(policyQueries(vocabulary), { maxLength: 10 }),
        (statements, queries) => {
          expect(validateStatements(statements)).toEqual([])
          const policy = compilePolicy([compileRole({ name: 'any', statements })])
          for (const { action, resource } of queries) {
            const { allowed, statement } = decide(policy, action, resource)
            counts[allowed ? 'allowed' : statement ? 'denied' : 'byDefault']++
          }
        },
      ),
      { numRuns: 500 },
    )
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(100)
  })

  it('generate every form of a statement', () => {
    const text = JSON.stringify(fc.sample(policies(vocabulary), 300))
    for (const part of ['notResources', 'notActions', ';beta', ';{critical:true}', '${roleAttribute/team}', '*:env/']) {
      expect(text).toContain(part)
    }
  })

  it('use only the words of the vocabulary', () => {
    const vocabulary = { shapes: ['team'], keys: ['a'], tags: ['x'] } as const
    for (const { action, resource } of fc.sample(policyQueries(vocabulary), 100)) {
      expect(action).toMatch(/Team/)
      expect(resource).toEqual([expect.objectContaining({ kind: 'team', key: expect.stringMatching(/^[a*]$/) })])
    }
    expect(JSON.stringify(fc.sample(policies(vocabulary), 100))).not.toMatch(/proj|beta|roleAttribute/)
  })
})

describe('jsonPatches', () => {
  const document = { name: 'Beta', tags: ['a', 'b'], rules: [{ clauses: [{ op: 'in', values: [1] }] }], 'a/b~c': null }
  const originalText = JSON.stringify(document)

  it('can be applied to the document and do not change it', () => {
    const counts = new Map<string, number>()
    fc.assert(
      fc.property(jsonPatches(document), (patch) => {
        expect(patch.length).toBeGreaterThan(0)
        for (const { op } of patch) counts.set(op, (counts.get(op) ?? 0) + 1)
        const parsed = parsePatch(patch)
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
        expect(applyPatch(document, parsed.operations)).toMatchObject({ ok: true })
      }),
      { numRuns: 500 },
    )
    expect([...counts.keys()].sort()).toEqual(['add', 'copy', 'move', 'remove', 'replace', 'test'])
    expect(JSON.stringify(document)).toBe(originalText)
  })

  it('can be applied to an empty document', () => {
    for (const patch of fc.sample(jsonPatches({}, { maxOperations: 1 }), 50)) {
      const parsed = parsePatch(patch)
      expect(parsed.ok && applyPatch({}, parsed.operations).ok).toBe(true)
    }
  })

  it('use the given values and at most the given number of operations', () => {
    for (const patch of fc.sample(jsonPatches({ a: 7 }, { maxOperations: 2, values: fc.constant(7) }), 100)) {
      expect(patch.length).toBeLessThanOrEqual(2)
      for (const operation of patch)
        if (operation.op === 'add' || operation.op === 'replace') expect(operation.value).toBe(7)
    }
  })
})

describe('flagBodies', () => {
  it('are accepted by createFlag and returned', async () => {
    const engine = await projectEngine()
    const kinds = new Set<string>()
    const bodies = fc.uniqueArray(flagBodies(), { selector: ({ key }) => key, minLength: 60, maxLength: 60 })
    for (const body of fc.sample(bodies, 1).flat()) {
      const flag = await engine.api.createFlag({ projectKey: 'web', body }, { as })
      expect(flag).toMatchObject({ key: body.key, name: body.name, tags: body.tags ?? [] })
      kinds.add(flag.migrationSettings ? `migration ${flag.migrationSettings.stageCount}` : flag.kind)
    }
    expect([...kinds].sort()).toEqual(['boolean', 'migration 2', 'migration 4', 'migration 6', 'multivariate'])
    await engine.close()
  })
})

describe('contexts', () => {
  it('are JSON and have a key in each of their kinds', () => {
    const kinds = ['user', 'organization', 'device']
    const counts = new Set<string>()
    fc.assert(
      fc.property(contexts(), (context) => {
        counts.add(context.kind)
        const { kind, ...rest } = context
        const singleContexts = kind === 'multi' ? Object.entries(rest) : [[kind, rest] as const]
        expect(singleContexts.length).toBeGreaterThanOrEqual(kind === 'multi' ? 2 : 1)
        for (const [name, singleContext] of singleContexts) {
          expect(kinds).toContain(name)
          expect(singleContext).toMatchObject({ key: expect.stringMatching(/^key-\d+$/) })
        }
        expect(JSON.parse(JSON.stringify(context))).toEqual(context)
      }),
    )
    expect([...counts].sort()).toEqual(['device', 'multi', 'organization', 'user'])
  })

  it('have the given kind when only one is given', () => {
    for (const context of fc.sample(contexts(['account']), 50)) expect(context.kind).toBe('account')
  })
})
