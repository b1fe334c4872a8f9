import type { createEngine } from '@halyard/core'
import { type Operation, type ResourceDescriptor, resources } from '@halyard/core/operations'
import { specifierOf } from '@halyard/core/policy'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, it } from 'vitest'
import { requestOf, withHeaders } from '../../conformance/src/operations/operation-fixture.ts'
import { openRestorableAccount, type RestorableAccount } from '../../conformance/src/operations/restorable-account.ts'
import { createMcpServer } from '../src/index.ts'

type Engine = ReturnType<typeof createEngine>

async function toolsOf(engine: Engine, token: string): Promise<Set<string>> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([createMcpServer(engine, { as: token }).connect(serverSide), client.connect(clientSide)])
  const { tools } = await client.listTools()
  await client.close()
  return new Set(tools.map(({ name }) => name))
}

async function createToken(account: RestorableAccount, body: object): Promise<string> {
  const { status, body: created } = await account.send(requestOf(operationOf(account.engine, 'createToken'), { body }))
  expect(status, created).toBe(201)
  return JSON.parse(created).token
}

/** The rights of three tokens. */
const rights = {
  reader: { role: 'reader' },
  writer: { role: 'writer' },
  flags: {
    inlineRole: [
      { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
      { effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['*'] },
      { effect: 'deny', resources: ['proj/*:env/*:flag/*'], actions: ['deleteFlag'] },
    ],
  },
}

/** Operations that are listed although calls of them are refused, because their handlers check more than policies. */
const refusedByHandlers: Readonly<Record<string, string>> = {
  applyChanges: 'the right depends on the changes of the list',
  getOAuthGrant: 'only a member has grants, and these tokens belong to no member',
  simulateChanges: 'the right depends on the changes of the list',
  revertChangeLogEntry: 'the right depends on the change that is undone',
  getToken: 'the right depends on the owner of the token',
}

it('the list of tools for a token contains exactly the operations that the API does not refuse to the token', {
  timeout: 300_000,
}, async () => {
  const account = await openRestorableAccount()
  const { engine } = account
  const tokens: Record<string, string> = {}
  for (const [name, right] of Object.entries(rights)) {
    tokens[name] = await createToken(account, { name, ...right })
  }
  const restoreTokens = account.saveState()
  const differences: string[] = []
  const refused = new Set<string>()
  const listed = new Map<string, Set<string>>()
  for (const [name, token] of Object.entries(tokens)) listed.set(name, await toolsOf(engine, token))
  for (const operation of await engine.definitions()) {
    if ('anonymous' in operation.access) continue
    restoreTokens()
    const request = requestOf(operation, await account.exampleOf(operation, account.newContext()))
    const restore = account.saveState()
    for (const [name, authorization] of Object.entries(tokens)) {
      const { status } = await account.send(withHeaders(request, { authorization }))
      restore()
      const isRefused = status === 403 || (status === 404 && isMasked(operation))
      const isListed = listed.get(name)?.has(operation.id)
      if (isListed && isRefused) refused.add(operation.id)
      if (isListed === isRefused && !(operation.id in refusedByHandlers))
        differences.push(`${name}: ${operation.id} is ${isListed ? '' : 'not '}listed, ${status}`)
    }
  }
  expect(differences).toEqual([])
  expect([...refused].sort()).toEqual(Object.keys(refusedByHandlers).sort())
  await account.close()
})

/** Operations whose handlers demand more than one right of the caller. */
const demandsMore: Readonly<Record<string, string>> = {
  applyApprovalRequest: 'the rights to the changes of the request',
  createOAuthGrant: 'a member, to whom the grant belongs',
  deleteOAuthGrant: 'a member, to whom the grant belongs',
}

it('a tool whose handler demands a right is listed only for tokens with that right, and refused to others', {
  timeout: 120_000,
}, async () => {
  const account = await openRestorableAccount()
  const { engine } = account
  const restoreEmpty = account.saveState()
  const differences: string[] = []
  const checked: string[] = []
  const withoutDemands: string[] = []
  for (const operation of await engine.definitions()) {
    if (!('open' in operation.access) || operation.method === 'GET') continue
    const { demands = [] } = operation.access
    if (demands.length === 0 && operation.body?.kind !== 'patch') withoutDemands.push(operation.id)
    if (demands.length === 0) continue
    checked.push(operation.id)
    restoreEmpty()
    const request = requestOf(operation, await account.exampleOf(operation, account.newContext()))
    for (const effect of ['deny', 'allow'] as const) {
      const inlineRole = [
        ...statements('allow', (action) => effect === 'deny' || action.startsWith('view')),
        ...statements(effect, (action) => demands.includes(action as never)),
      ]
      const authorization = await createToken(account, { name: effect, inlineRole })
      const restore = account.saveState()
      const { status } = await account.send(withHeaders(request, { authorization }))
      restore()
      const isListed = (await toolsOf(engine, authorization)).has(operation.id)
      const isRefused = status === 403 || status === 404
      if (isListed !== (effect === 'allow')) differences.push(`${operation.id} with ${effect}: listed ${isListed}`)
      if (isRefused !== (effect === 'deny') && !(operation.id in demandsMore))
        differences.push(`${operation.id} with ${effect}: ${status}`)
    }
  }
  expect(differences).toEqual([])
  expect(checked.length).toBeGreaterThan(12)
  expect(
    withoutDemands.filter((id) => !(id in refusedByHandlers)),
    'declare `demands` in the access of these',
  ).toEqual([])
  await account.close()
})

/** Returns statements about the selected actions of all resources. */
function statements(effect: 'allow' | 'deny', isSelected: (action: string) => boolean) {
  return resources
    .flatMap(({ kinds = [] }: ResourceDescriptor) => kinds)
    .map(({ shape, actions }) => ({
      effect,
      resources: [specifierOf(shape)],
      actions: actions.filter(isSelected),
    }))
    .filter(({ actions }) => actions.length > 0)
}

const operationOf = (engine: Engine, id: string) => engine.operations.find((each) => each.id === id) as Operation

/** Returns true when the operation responds to a caller without rights as if the resource did not exist. */
const isMasked = ({ access }: Operation) => 'open' in access || ('masked' in access && access.masked === true)
