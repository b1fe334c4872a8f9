import { createTestEngine } from '@halyard/testing'
import { expect, it } from 'vitest'
import { referenceFormat } from './reference/reference-format.ts'
import { writeProject } from './write-project.ts'

const clause = (op: string, values: readonly unknown[], negate = false) => ({
  contextKind: 'user',
  attribute: 'email',
  op,
  values,
  negate,
})

const variations = [{ value: true }, { value: false }]

/** A flag of the reference API with one rule, which serves the first variation. */
const flagWith = (key: string, clauses: readonly object[]) => ({
  key,
  name: key,
  kind: 'boolean',
  variations,
  environments: {
    production: { on: true, rules: [{ variation: 0, clauses }], fallthrough: { variation: 1 }, offVariation: 1 },
  },
})

it('the import keeps the rule of a clause that no context can match and reports the clause, and the engine accepts the rule', async () => {
  const bad = [
    clause('matches', ['(']),
    clause('before', ['not a date']),
    clause('semVerEqual', ['x.y']),
    clause('in', []),
  ]
  const flags = bad.map((each, index) => flagWith(`bad-${index}`, [each]))
  const negated = flagWith('negated', [clause('matches', ['('], true)])
  const read = referenceFormat.read([{ items: [...flags, negated] }], { environmentKey: 'production' })
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  const losses = read.importedProject.losses.filter(({ why }) => why.startsWith('no context can match it'))
  expect(losses.map(({ flag, affects }) => [flag, affects])).toEqual(flags.map(({ key }) => [key, 'nothing']))

  const engine = await createTestEngine()
  await engine.given.project('web')
  const { refused } = await writeProject(read.importedProject, { api: engine.as({ role: 'owner' }), projectKey: 'web' })
  expect(refused).toEqual([])
  const evaluator = engine.evaluator({ projectKey: 'web', environmentKey: 'production' })
  await evaluator.ready()
  const context = { kind: 'user', key: 'ann', email: '(' }
  const kinds = [...flags, negated].map(({ key }) => evaluator.evaluate(key, context, null).reason.kind)
  expect(kinds).toEqual([...flags.map(() => 'FALLTHROUGH'), 'RULE_MATCH'])
})
