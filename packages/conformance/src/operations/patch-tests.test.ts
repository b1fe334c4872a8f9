import type { Operation } from '@halyard/core/operations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRestorableAccount, type RestorableAccount } from './restorable-account.ts'
import { isAllowed, newPatchedResource, patchRequest, type Shown, valuesIn } from './test/patched-resource.ts'
import { statementOfEachAction } from './test/statement-of-each-action.ts'

let account: RestorableAccount
let restoreEmpty: () => void

beforeAll(async () => {
  account = await openRestorableAccount()
  restoreEmpty = account.saveState()
})

afterAll(() => account.close())

const { operations } = await openRestorableAccount().then(({ engine }) => engine)
const patching = operations.flatMap((operation): [string, Operation, readonly string[]][] => {
  const { body } = operation
  return body?.kind === 'patch' && body.paths.length > 0 ? [[operation.id, operation, body.paths]] : []
})

const newResource = (operation: Operation) => {
  restoreEmpty()
  return newPatchedResource(account, operation)
}

async function stored(): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const chunk of account.account.dump()) records.push(...chunk)
  return records
}

/** Maximum number of operations of a patch. */
const maxOperations = 1_000

describe.each(patching)('%s', (_, operation, paths) => {
  it('accepts a test of every value that the resource shows, and changes nothing', async () => {
    const { params, response } = await newResource(operation)
    const tests = valuesIn(response).map(({ pointer, value }) => ({ op: 'test', path: pointer, value }))
    expect(tests.length).toBeGreaterThan(1)
    const before = await stored()
    for (const test of tests) {
      const { status, body } = await account.send(patchRequest(operation, params, [test]))
      expect(status, `${test.path} ${JSON.stringify(test.value)}: ${body}`).toBe(200)
    }
    const all = await account.send(patchRequest(operation, params, tests.slice(0, maxOperations)))
    expect(all.status, all.body).toBe(200)
    expect(await stored()).toEqual(before)
  })

  it('refuses a test of any value that the resource does not show, and changes nothing', async () => {
    const { params, response } = await newResource(operation)
    const refusal = operation.id === 'patchOAuthClient' ? 400 : 409
    const before = await stored()
    for (const { pointer } of [...valuesIn(response), { pointer: '/nothing' }]) {
      const test = { op: 'test', path: pointer, value: 'not shown' }
      const { status, body } = await account.send(patchRequest(operation, params, [test]))
      expect(status, `${pointer}: ${body}`).toBe(refusal)
    }
    expect(await stored()).toEqual(before)
  })

  it('tests the value that an earlier operation of the same patch wrote', async () => {
    const { params, response } = await newResource(operation)
    const changeable = valuesIn(response).filter(
      ({ pointer, value }) => paths.includes(pointer) || (paths.includes(`${pointer}/**`) && value !== response),
    )
    const unchangeable = testOfUnchangeable(response, paths)
    const texts = changeable.filter(({ value }) => typeof value === 'string')
    for (const { pointer, value } of texts) {
      const change = { op: 'replace', path: pointer, value: `${value}x` }
      const old = await account.send(
        patchRequest(operation, params, [change, { op: 'test', path: pointer, value }, unchangeable]),
      )
      expect(old.status, `${pointer}: ${old.body}`).toBe(operation.id === 'patchOAuthClient' ? 400 : 409)
      const changed = await account.send(
        patchRequest(operation, params, [
          unchangeable,
          change,
          { op: 'test', path: pointer, value: `${value}x` },
          unchangeable,
          { op: 'test', path: '', value: withValueAt(response, pointer, `${value}x`) },
          { op: 'replace', path: pointer, value },
        ]),
      )
      expect(changed.status, `${pointer}: ${changed.body}`).toBe(200)
    }
  })

  it('needs the declared actions for each property that it changes, and no others', async () => {
    const { params, response } = await newResource(operation)
    const texts = valuesIn(response).filter(
      ({ pointer, value }) => typeof value === 'string' && isAllowed(paths, pointer),
    )
    const api = account.engine.api as unknown as Record<string, (input: object, options: object) => Promise<unknown>>
    for (const { pointer, value } of texts) {
      const actions = actionsAt(operation, pointer)
      const pathEntries = Object.entries(params ?? {}).filter(([name]) => operation.path.includes(`{${name}}`))
      const change = (policy: object[], text: string) => {
        const body = [{ op: 'replace', path: pointer, value: text }]
        return api[operation.id]?.({ ...Object.fromEntries(pathEntries), body, dryRun: true }, { as: { policy } })
      }
      // The text may be an id or one of a few allowed values. In these cases another text is refused.
      const isValid = await change(statementOfEachAction(), `${value}x`)?.then(Boolean, () => false)
      if (!isValid) continue
      changedPaths.add(pointer)
      const policyOf = (allows: (action: string) => boolean) =>
        statementOfEachAction().filter(({ actions: [action] }) => allows(action as string))
      const isDeclared = (action: string) => actions.includes(action)
      const refused = change(
        policyOf((action) => !isDeclared(action)),
        `${value}x`,
      )
      await expect(refused, pointer).rejects.toMatchObject({ status: 403 })
      const sufficient = change(
        policyOf((action) => action.startsWith('view') || isDeclared(action)),
        `${value}x`,
      )
      await expect(sufficient, pointer).resolves.toBeDefined()
    }
  })

  it('is refused when it replaces or removes a property that patches may not change', async () => {
    const { params, response } = await newResource(operation)
    for (const { pointer, value } of valuesIn(response).filter(({ pointer }) => !isAllowed(paths, pointer))) {
      for (const change of [
        { op: 'replace', path: pointer, value },
        { op: 'remove', path: pointer },
      ]) {
        const { status } = await account.send(patchRequest(operation, params, [change]))
        expect(status, `${change.op} ${pointer}`).toBe(400)
      }
    }
  })
})

/** Returns a test of a value that the patch cannot change. */
function testOfUnchangeable(response: unknown, paths: readonly string[]): object {
  const isLeaf = ({ value }: Shown) => typeof value !== 'object' || value === null
  const testableLeaf = valuesIn(response).find((each) => isLeaf(each) && !isAllowed(paths, each.pointer))
  return { op: 'test', path: testableLeaf?.pointer, value: testableLeaf?.value }
}

/** Returns the actions that the operation declares for the part at a pointer. */
function actionsAt({ body }: Operation, pointer: string): readonly string[] {
  if (body?.kind !== 'patch') return []
  return Object.entries(body.actions)
    .filter(([path]) => isAllowed([path], pointer))
    .flatMap(([, actions]) => actions)
}

function withValueAt(value: unknown, pointer: string, replacement: unknown): unknown {
  const copy = structuredClone(value)
  const names = pointer.split('/').slice(1)
  const last = names.pop() as string
  const parent = names.reduce((found, name) => (found as Record<string, unknown>)[name], copy)
  ;(parent as Record<string, unknown>)[last] = replacement
  return copy
}

/** The parts that were changed to check which actions the change needs. */
const changedPaths = new Set<string>()

it('more than 15 operations have a JSON Patch, and more than 5 paths were changed', () => {
  expect(patching.length).toBeGreaterThan(15)
  expect(changedPaths.size).toBeGreaterThan(5)
})
