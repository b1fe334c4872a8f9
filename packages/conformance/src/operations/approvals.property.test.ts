import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Example } from './example.ts'
import { examples } from './examples/index.ts'
import { createRandom } from './mutated-requests.ts'
import { requestOf, withHeaders } from './operation-fixture.ts'
import { attack, readIds, type Target, targetsOf } from './test/attack.ts'
import { type GuardedAccount, openGuardedAccount } from './test/guarded-account.ts'
import { createGuardedProject, guardedProjectKey, testSegments, withExperiments } from './test/guarded-project.ts'
import { type ComparedFlags, comparedFlags, type ServedState, servedState } from './test/served-state.ts'

const runs = process.env.HALYARD_LONG_TESTS ? 60 : 1

/** Number of calls of each target in a run. */
const callsPerTarget = 4

/** Number of calls after which the account is compared and restored. */
const callsPerCheck = 60

interface Check {
  readonly account: GuardedAccount
  readonly token: string
  readonly compared: readonly ComparedFlags[]
  readonly expectedNow: ServedState
  readonly expectedLater: ServedState
}

/** Sends a call as the caller; returns true when it succeeds. */
async function send({ account, token }: Pick<Check, 'account' | 'token'>, { operation }: Target, example: Example) {
  const request = withHeaders(requestOf(operation, example), { authorization: token })
  const { status } = await account.client.send(request)
  expect(status, `${operation.id} ${JSON.stringify(example)}`).toBeLessThan(500)
  return status < 400
}

/** Changes that the caller requests after earlier changes. They must be refused too. */
function probes(): readonly { readonly id: string; readonly example: Example }[] {
  const mediaType = 'application/json; domain-model=svc.semanticpatch'
  const patch = (id: string, params: Record<string, string>, environmentKey: string, instruction: object) => ({
    id,
    example: { params, mediaType, body: { environmentKey, instructions: [instruction] } },
  })
  const flag = (flagKey: string, environmentKey: string, instruction: object) =>
    patch('patchFlag', { projectKey: 'web', flagKey }, environmentKey, instruction)
  const include = { kind: 'addIncludedUsers', values: ['u500'] }
  return [
    flag('main', 'production', { kind: 'turnFlagOff' }),
    flag('base', 'production', { kind: 'turnFlagOff' }),
    flag('paid', 'test', { kind: 'turnFlagOff' }),
    flag('base', 'test', { kind: 'turnFlagOff' }),
    patch(
      'patchSegment',
      { projectKey: 'web', environmentKey: 'production', segmentKey: 'listed' },
      'production',
      include,
    ),
    ...testSegments.map((segmentKey) =>
      patch('patchSegment', { projectKey: 'web', environmentKey: 'test', segmentKey }, 'test', include),
    ),
    ...['short'].map((variationKey) => ({
      id: 'patchAIConfigVariation',
      example: { params: { projectKey: 'web', configKey: 'chat', variationKey }, body: { model: { name: 'other' } } },
    })),
  ]
}

async function expectServedAsBefore(check: Check, calls: readonly string[]): Promise<void> {
  const { account, compared, expectedNow, expectedLater } = check
  const probed = compared.some(({ projectKey }) => projectKey === guardedProjectKey) ? probes() : []
  for (const { id, example } of probed) {
    const operation = account.engine.operations.find((candidate) => candidate.id === id)
    if (operation) await send(check, { operation }, example)
  }
  const label = `after these successful calls:\n${calls.join('\n')}`
  expect(differences(expectedNow, await servedState(account.engine, compared)), label).toEqual([])
  await account.passYear()
  expect(differences(expectedLater, await servedState(account.engine, compared)), `a year ${label}`).toEqual([])
}

/** Returns the names of the parts that differ, with the start of their texts. */
function differences(expected: ServedState, actual: ServedState): readonly string[] {
  const start = (text = '') => text.slice(0, 200)
  return Object.keys(expected)
    .filter((name) => expected[name] !== actual[name])
    .map((name) => `${name}: was ${start(expected[name])}, is ${start(actual[name])}`)
}

async function baseline(account: GuardedAccount, token: string): Promise<Check> {
  const compared = await comparedFlags(account.engine)
  const saved = account.save()
  const expectedNow = await servedState(account.engine, compared)
  await account.passYear()
  const expectedLater = await servedState(account.engine, compared)
  account.restore(saved)
  return { account, token, compared, expectedNow, expectedLater }
}

/** Returns the values in another order. */
function shuffled<T>(values: readonly T[], random: (limit: number) => number): T[] {
  const remaining = [...values]
  return values.map(() => remaining.splice(random(remaining.length), 1)[0] as T)
}

const callers = ['every right except to bypass approvals', 'the role writer'] as const

describe.each(callers)('a caller with %s', (name) => {
  it('cannot change a served value without approval, by any operation and instruction', async () => {
    const account = await openGuardedAccount()
    const project = await withExperiments(account.engine, await createGuardedProject(account.engine))
    await account.guard()
    const ids = await readIds(account.engine, project)
    const check = await baseline(account, account.tokens[name])
    expect(check.expectedLater).not.toEqual(check.expectedNow)
    const saved = account.save()
    const targets = targetsOf(account.engine.operations)
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = createRandom(String(seed))
        const pick = <T>(values: readonly T[]) => values[random(values.length)] as T
        const order = Array.from({ length: callsPerTarget }, () => shuffled(targets, random)).flat()
        for (let start = 0; start < order.length; start += callsPerCheck) {
          account.restore(saved)
          const calls: string[] = []
          for (const target of order.slice(start, start + callsPerCheck)) {
            const example = attack(target, { project, ids }, account.now(), pick)
            if (await send(check, target, example)) calls.push(`${target.operation.id} ${JSON.stringify(example)}`)
          }
          await expectServedAsBefore(check, calls)
        }
      }),
      { numRuns: runs, endOnFailure: true },
    )
  }, 120_000)

  it('cannot change a served value by the example call of any operation', async () => {
    const account = await openGuardedAccount()
    const empty = account.save()
    let count = 0
    for (const operation of account.engine.operations.filter(({ method }) => method !== 'GET')) {
      account.restore(empty)
      const byId = new Map(account.engine.operations.map((each) => [each.id, each]))
      const context = {
        newKey: () => `p${++count}`,
        async call<Body>(id: string, input?: Example) {
          const called = byId.get(id)
          const example = input ?? (await examples[id]?.(context))
          if (!called || !example) throw new Error(`no example of ${id}`)
          const { status, body } = await account.client.send(requestOf(called, example))
          if (status !== called.success.status) throw new Error(`${id}: ${status} ${body}`)
          return (body === '' ? {} : JSON.parse(body)) as Body
        },
      }
      const example = await examples[operation.id]?.(context)
      if (!example) continue
      await account.guard()
      const check = await baseline(account, account.tokens[name])
      if (await send(check, { operation }, example)) await expectServedAsBefore(check, [operation.id])
    }
  }, 120_000)
})
