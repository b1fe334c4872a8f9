import type { createEngine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, it } from 'vitest'
import { requestOf, withHeaders } from '../../conformance/src/operations/operation-fixture.ts'
import { openRestorableAccount } from '../../conformance/src/operations/restorable-account.ts'
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

/** Operations that are listed and refused, because their handlers refuse by more than policies. */
const refusedByHandlers: Readonly<Record<string, string>> = {
  applyChanges: 'the right depends on the changes of the list',
  createOAuthGrant: 'only a member has grants, and these tokens belong to no member',
  deleteOAuthGrant: 'only a member has grants, and these tokens belong to no member',
  getOAuthGrant: 'only a member has grants, and these tokens belong to no member',
  simulateChanges: 'the right depends on the changes of the list',
  revertChangeLogEntry: 'the right depends on the change that is undone',
  getToken: 'the right depends on the owner of the token',
}

it('a token is listed the tools of the operations that the API does not refuse it', { timeout: 300_000 }, async () => {
  const account = await openRestorableAccount()
  const { engine } = account
  const tokens: Record<string, string> = {}
  for (const [name, right] of Object.entries(rights)) {
    const body = { name, ...right }
    const { token } = JSON.parse((await account.send(requestOf(operationOf(engine, 'createToken'), { body }))).body)
    tokens[name] = token
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

const operationOf = (engine: Engine, id: string) => engine.operations.find((each) => each.id === id) as Operation

/** Returns true when the operation responds to a caller without rights as if the resource did not exist. */
const isMasked = ({ access }: Operation) => 'open' in access || ('masked' in access && access.masked === true)
